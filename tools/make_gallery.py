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
from sim.app.regions import closings_of, region_of, region_scene
from sim.app.stills import case_scene, write_still

ROOT = Path(__file__).resolve().parent.parent
GALLERY = ROOT / "assets" / "gallery"
SIZE = (960, 600)

# name of the picture, case file, and what is drawn: the verdict, or the region with its screens
PICTURES = (
    ("deep-strike", "assets/scenarios/not-here.toml", "verdict"),
    ("where-with-screens", "assets/scenarios/not-here.toml", "region"),
)


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
        if what == "region":
            region = region_of(case)
            scene = region_scene(case, region, closings_of(case, region))
        else:
            scene = case_scene(case)
        target = GALLERY / f"{name}.png"
        write_still(scene, str(target), "table", SIZE)
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
