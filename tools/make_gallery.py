"""Make the gallery: a picture for each kind of reason, drawn from case files, and a page that shows them.

``python tools/make_gallery.py`` writes ``assets/gallery/*.png`` and ``assets/gallery/README.md``. Every picture is what
``inchwise render CASE`` or ``inchwise where CASE`` draws; nothing is added by hand.
"""

from __future__ import annotations

import os
from pathlib import Path

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

from sim.app.common import load
from sim.app.regions import closings_of, holding, region_of, region_scene
from sim.app.stills import case_scene, write_still
from sim.view.compose import close_up

ROOT = Path(__file__).resolve().parent.parent
GALLERY = ROOT / "assets" / "gallery"
SIZE = (880, 550)

# name of the picture, case file, and what is drawn: the whole table, a close-up, or the region with its screens
PICTURES = (
    ("deep-strike", "assets/scenarios/not-here.toml", "table"),
    ("where-with-screens", "assets/scenarios/not-here.toml", "region"),
    ("the-way-leads-too-close", "tests/cases/wh40k10/b06-the-way-leads-too-close.toml", "close"),
    ("over-the-edge-of-a-floor", "tests/cases/wh40k10/a13-over-the-edge-of-a-floor.toml", "close"),
    ("strategic-reserves", "tests/cases/wh40k10/a23-a-hundredth-beyond-six.toml", "close"),
    ("deployment", "tests/cases/wh40k10/extra-deploy-into-the-middle-disc.toml", "table"),
    ("ambush-corners", "tests/cases/t9a/g06-two-corners-of-four.toml", "close"),
    ("ambush-corridor", "tests/cases/t9a/g09-a-friend-across-one-corner.toml", "close"),
    ("ambush-region", "tests/cases/t9a/g05-corners-at-six-exactly.toml", "region"),
    ("tunnelling-drift", "tests/cases/whfb6/h03-a-drift-of-ten.toml", "close"),
    ("tunnelling-under-an-enemy", "tests/cases/whfb6/h08-the-closest-side.toml", "close"),
    ("doomwheel-stops", "tests/cases/wap/i16-a-friend-ahead-stops-it.toml", "close"),
    ("doomwheel-bolts", "tests/cases/wap/oracle-bolt-01.toml", "close"),
)


def draw(case_file: str, what: str, target: Path) -> None:
    """Write the picture of a case."""
    case = load(str(ROOT / case_file))
    if what == "region":
        region = region_of(case)
        scene = region_scene(case, region, closings_of(case, region), holding(case, region))
    else:
        scene = close_up(case_scene(case)) if what == "close" else case_scene(case)
    write_still(scene, str(target), "table", SIZE)


def main() -> None:
    """Draw every picture and write the page."""
    GALLERY.mkdir(parents=True, exist_ok=True)
    page = [
        "# Gallery",
        "",
        "Each picture is drawn from the case file named under it; see `tools/make_gallery.py`.",
        "",
    ]
    for name, case_file, what in PICTURES:
        case = load(str(ROOT / case_file))
        target = GALLERY / f"{name}.png"
        draw(case_file, what, target)
        page += [
            f"## {case.title}",
            "",
            f"![{case.title}]({name}.png)",
            "",
            f"{case.ruleset.title} · `{case_file}`",
            "",
        ]
        print(f"{target.relative_to(ROOT)}: {target.stat().st_size // 1024} kB")
    (GALLERY / "README.md").write_text("\n".join(page), encoding="utf-8")


if __name__ == "__main__":
    main()
