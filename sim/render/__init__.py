"""Which pixels? Scenes become windows, PNG, SVG and clips.

Importing this package is cheap: it loads neither pygame nor the encoders. Import the module that is needed:
``sim.render.painter``, ``sim.render.picture``, ``sim.render.svg``, ``sim.render.clip``.
"""

from sim.render.headless import ensure_headless, hide_greeting

__all__ = ["ensure_headless"]

hide_greeting()
