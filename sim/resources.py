"""Where are the data files that come with the project?

Maps and assets stand at the top of a checkout (``maps/``, ``assets/``) and travel inside the wheel
(``sim/_data/``). Whoever needs one of them asks here, by the name that it has in the checkout.
"""

from pathlib import Path, PurePosixPath

DATA_FOLDERS = ("assets", "maps")

_PACKAGE = Path(__file__).resolve().parent


def data_root() -> Path:
    """Folder that holds ``assets/`` and ``maps/``: the package's own when installed, else the checkout's top.

    Raises
    ------
    FileNotFoundError
        When neither place has both folders.
    """
    for candidate in _candidates():
        if all((candidate / folder).is_dir() for folder in DATA_FOLDERS):
            return candidate
    looked_in = " and ".join(str(candidate) for candidate in _candidates())
    raise FileNotFoundError(
        f"the folders {' and '.join(DATA_FOLDERS)} that come with inchwise are missing: looked in {looked_in}"
    )


def data_path(relative: str) -> Path:
    """File or folder that comes with the project, by its name in the checkout: ``maps/x.toml``.

    Raises
    ------
    FileNotFoundError
        When there is no such thing, or when the name leads out of the data folders.
    """
    parts = PurePosixPath(relative).parts
    if not parts or parts[0] not in DATA_FOLDERS or ".." in parts:
        folders = " or ".join(f"{folder}/" for folder in DATA_FOLDERS)
        raise FileNotFoundError(f"no data file {relative!r}: expected a name that begins with {folders}")
    root = data_root()
    path = root.joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(f"no data file {relative!r}: looked in {root}")
    return path


def _candidates() -> tuple[Path, ...]:
    return (_PACKAGE / "_data", _PACKAGE.parent)
