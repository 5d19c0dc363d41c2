"""Which part of the table is looked at: from inches to the picture and back."""

from __future__ import annotations

from dataclasses import dataclass

from sim.geometry import Point


@dataclass(frozen=True, slots=True)
class Camera:
    """A view of the table: the point at the middle of the picture, and how many picture units make an inch.

    Picture units run right and down from the upper left corner, as on every screen; inches run right and up.
    """

    centre: Point
    scale: float
    width: int
    height: int

    @classmethod
    def fitting(cls, width: float, depth: float, size: tuple[int, int], margin: float = 1.6) -> Camera:
        """The camera that shows a whole table of inches with a margin of inches around it."""
        scale = min(size[0] / (width + 2 * margin), size[1] / (depth + 2 * margin))
        return cls((width / 2, depth / 2), scale, *size)

    def to_picture(self, point: Point) -> Point:
        """Where a point of the table is on the picture."""
        x = self.width / 2 + (point[0] - self.centre[0]) * self.scale
        y = self.height / 2 - (point[1] - self.centre[1]) * self.scale
        return (x, y)

    def to_table(self, point: Point) -> Point:
        """The point of the table under a point of the picture."""
        x = self.centre[0] + (point[0] - self.width / 2) / self.scale
        y = self.centre[1] - (point[1] - self.height / 2) / self.scale
        return (x, y)

    def zoomed(self, factor: float, at: Point, least: float = 6.0, most: float = 240.0) -> Camera:
        """Closer or farther, so that the point of the table under ``at`` on the picture stays where it is."""
        scale = min(max(self.scale * factor, least), most)
        x, y = self.to_table(at)
        dx, dy = (at[0] - self.width / 2) / scale, (at[1] - self.height / 2) / scale
        return Camera((x - dx, y + dy), scale, self.width, self.height)

    def panned(self, dx: float, dy: float) -> Camera:
        """Moved by picture units: what was at a spot is then dx to the right and dy lower."""
        x, y = self.centre
        return Camera((x - dx / self.scale, y + dy / self.scale), self.scale, self.width, self.height)

    def sized(self, width: int, height: int) -> Camera:
        """The same middle and scale on a picture of another size."""
        return Camera(self.centre, self.scale, width, height)
