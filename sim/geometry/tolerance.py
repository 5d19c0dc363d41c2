"""The one tolerance: is a distance *within* a limit, or *beyond* it?

``within`` and ``beyond`` are exact complements, so that no distance is both or neither: exactly 9" is within 9" and
is not more than 9".
"""

from __future__ import annotations

from typing import overload

import numpy as np
from numpy.typing import NDArray

EPS = 1e-6  # inches; how far a measured distance may miss a limit and still count as exactly on it

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]


@overload
def within(distance: float, limit: float) -> bool: ...
@overload
def within(distance: Floats, limit: float) -> Bools: ...
def within(distance: float | Floats, limit: float) -> bool | Bools:
    """Whether a distance counts as within a limit; both in inches, the limit itself included."""
    answer = distance <= limit + EPS
    return bool(answer) if isinstance(answer, (bool, np.bool_)) else answer


@overload
def beyond(distance: float, limit: float) -> bool: ...
@overload
def beyond(distance: Floats, limit: float) -> Bools: ...
def beyond(distance: float | Floats, limit: float) -> bool | Bools:
    """Whether a distance counts as more than a limit; the exact complement of ``within`` (NaN is neither)."""
    answer = distance > limit + EPS
    return bool(answer) if isinstance(answer, (bool, np.bool_)) else answer
