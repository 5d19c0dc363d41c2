"""The project's own environment, `.venv`: made when missing, repaired when broken, left alone when current.

Standard library only. The lines above the check of the version must be understood by any Python 3.
"""

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

OLDEST_PYTHON = (3, 11)
CANNOT_GO_ON = 2  # exit status
ROOT = Path(__file__).resolve().parent.parent

# Ends of pip's complaints that mean "nobody answered", as opposed to "somebody said no".
_SIGNS_OF_NO_SOURCE = (
    "NewConnectionError",
    "ConnectTimeoutError",
    "NameResolutionError",
    "ProxyError",
    "(from versions: none)",
)


def refuse(reason: str) -> NoReturn:
    """End the program with one line that says what is missing."""
    print("inchwise: cannot go on: " + reason, file=sys.stderr)
    sys.exit(CANNOT_GO_ON)


if sys.version_info < OLDEST_PYTHON:
    refuse(
        "Python {}.{} or newer is needed; this is Python {}.{} ({})".format(
            *OLDEST_PYTHON, *sys.version_info[:2], sys.executable
        )
    )


class Environment:
    """One virtual environment of one checkout, and the stamp in it that says what has been installed."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.folder = root / ".venv"
        self.log = self.folder / "install.log"
        self._stamp = self.folder / "stamp.json"

    @property
    def python(self) -> Path:
        return self.program("python")

    def program(self, name: str) -> Path:
        """Path of a program inside the environment, whether or not it is there."""
        if os.name == "nt":
            return self.folder / "Scripts" / f"{name}.exe"
        return self.folder / "bin" / name

    def is_current(self, extra: str = "") -> bool:
        """Whether all that is asked for has been installed, from the files as they are now."""
        stamp = self._read_stamp()
        return (
            stamp.get("key") == self._key()
            and (not extra or extra in stamp.get("extras", ""))
            and self.python.exists()
            and self.program("inchwise").exists()
        )

    def prepare(self, extra: str = "") -> None:
        """Make the environment current, or end the program with one line that says what is missing."""
        if self.is_current(extra):
            return
        print(f"Preparing {self.folder} (once; it takes a minute or two) …", file=sys.stderr, flush=True)
        try:
            with self._alone():
                if self.is_current(extra):  # another run has just done it
                    return
                if not self._is_usable():
                    self._make()
                self._stamp.unlink(missing_ok=True)
                self._install(extra)
                self._write_stamp(extra)
        except OSError as error:
            refuse(f"{self.folder} cannot be written: {error}")

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """While this lasts, no other run touches the environment (where the system has such locks)."""
        if sys.platform == "win32":
            yield
            return
        import fcntl

        handle = os.open(self.root, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)  # goes with the process, however that ends
            yield
        finally:
            os.close(handle)

    def _key(self) -> str:
        digest = hashlib.sha256()
        for name in ("pyproject.toml", "constraints.txt"):
            digest.update((self.root / name).read_bytes())
        return f"{self.root} {sys.implementation.cache_tag} {digest.hexdigest()}"

    def _read_stamp(self) -> dict[str, str]:
        try:
            stamp = json.loads(self._stamp.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return stamp if isinstance(stamp, dict) else {}

    def _write_stamp(self, extra: str) -> None:
        half_written = self._stamp.with_suffix(".new")
        stamp = {"key": self._key(), "extras": extra, "root": str(self.root)}
        half_written.write_text(json.dumps(stamp), "utf-8")
        half_written.replace(self._stamp)

    def _is_usable(self) -> bool:
        """Whether pip works there, on this version of Python, and no installation was cut short or moved."""
        if self.log.exists() and not self._stamp.exists():
            return False
        if self._read_stamp().get("root", str(self.root)) != str(self.root):
            return False
        question = "import sys, pip; print(sys.implementation.cache_tag)"
        try:
            answer = subprocess.run([self.python, "-I", "-c", question], capture_output=True, text=True, check=False)
        except OSError:
            return False
        return answer.returncode == 0 and answer.stdout.strip() == sys.implementation.cache_tag

    def _make(self) -> None:
        missing = [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]
        if missing:
            refuse(
                f"this Python has no module {' and no module '.join(missing)}"
                " (on Debian and Ubuntu: apt install python3-venv)"
            )
        if self.folder.is_symlink() or self.folder.is_file():
            self.folder.unlink()
        elif self.folder.exists():
            shutil.rmtree(self.folder)
        # The interpreter itself, should we be running inside the environment that has just gone.
        interpreter = getattr(sys, "_base_executable", sys.executable)
        made = subprocess.run([interpreter, "-m", "venv", self.folder], capture_output=True, text=True, check=False)
        if made.returncode != 0:
            lines = (made.stdout + made.stderr).split("\n")
            reason = next((line.strip() for line in reversed(lines) if line.strip()), "no reason given")
            refuse(f"{self.folder} could not be made: {reason}")

    def _install(self, extra: str) -> None:
        project = f"{self.root}[{extra}]" if extra else str(self.root)
        self.log.write_text("", "utf-8")
        # The build backend comes first, pinned like the rest, so that the build fetches nothing by itself.
        self._pip("hatchling")
        self._pip("--no-build-isolation", "--editable", project)

    def _pip(self, *arguments: str) -> None:
        pip = [str(self.python), "-I", "-m", "pip", "install", "--no-input", "--disable-pip-version-check"]
        constraints = ["--constraint", str(self.root / "constraints.txt")]
        with self.log.open("a", encoding="utf-8") as log:
            installed = subprocess.run(
                [*pip, *constraints, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PIP_USER": "0"},
                check=False,
            )
        if installed.returncode != 0:
            refuse(f"{explain_pip(self.log.read_text('utf-8', 'replace'))}; pip's words are in {self.log}")


def explain_pip(log: str) -> str:
    """Reason for which pip gave up, in a few words."""
    if any(sign in log for sign in _SIGNS_OF_NO_SOURCE):
        return "no package source could be reached for what has to be installed"
    errors = [line.removeprefix("ERROR: ") for line in log.split("\n") if line.startswith("ERROR: ")]
    return "pip could not install the project" + (f" ({errors[-1]})" if errors else "")


def hand_over(program: Path, arguments: list[str]) -> int:
    """Exit status of a program that takes this one's place, where the system can do that."""
    command = [str(program), *arguments]
    sys.stdout.flush()
    if os.name == "posix":
        os.execv(command[0], command)
    return subprocess.run(command, check=False).returncode
