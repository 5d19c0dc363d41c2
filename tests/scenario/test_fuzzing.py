"""Is a damaged file read or refused, and never anything else?"""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.battle import Battle, decode, encode
from sim.engine import judge
from sim.scenario import Case, ScenarioError, build_case, parse_document
from tests.scenario.writing import FULL, GAMES, check_form

steady = settings(derandomize=True, deadline=None, max_examples=400, suppress_health_check=[HealthCheck.too_slow])


def read(text: str) -> Case | None:
    """The case that a text is, None where it is refused in the right form."""
    try:
        return build_case("f.toml", parse_document("f.toml", text), GAMES, text)
    except ScenarioError as error:
        check_form(error)
        return None


def check(case: Case) -> None:
    """A case that was read can be written down, judged and asked."""
    assert decode(encode(case.battle), Battle) == case.battle
    if case.command is not None:
        judge(case.ruleset, case.battle, case.command)


VALUES = st.sampled_from(
    ["nan", "inf", "-inf", "-1", "0", "1e308", "1e-308", "9" * 25, "9" * 400, "true", '""', '"x"', '"red"', "[]",
     "[[]]", "{}", "[1]", "[1, 2, 3]", "[[1, 2], [3]]", "1979-05-27", "07:32:00", '"a\\nb"', '"\\u0000"',
     "{ at = [1, 1] }",      "-0.0", "4.5", "400", "[nan, 1]", '["a"]']
)  # fmt: skip


@steady
@given(st.data())
def test_any_value_replaced(data: st.DataObject) -> None:
    lines = FULL.splitlines()
    keyed = [i for i, line in enumerate(lines) if "=" in line]
    for _ in range(data.draw(st.integers(1, 2))):
        i = keyed[data.draw(st.integers(0, len(keyed) - 1))]
        lines[i] = f"{lines[i].split('=')[0]}= {data.draw(VALUES)}"
    case = read("\n".join(lines))
    if case is not None:
        check(case)


@steady
@given(st.data())
def test_any_line_dropped_doubled_or_moved(data: st.DataObject) -> None:
    lines = FULL.splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        i, j = (data.draw(st.integers(0, len(lines) - 1)) for _ in range(2))
        match data.draw(st.sampled_from(["drop", "double", "move"])):
            case "drop":
                del lines[i]
            case "double":
                lines.insert(j, lines[i])
            case _:
                lines.insert(j, lines.pop(i))
    case = read("\n".join(lines))
    if case is not None:
        check(case)


@steady
@given(st.data())
def test_any_letters_replaced(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(FULL) - 1))
    end = data.draw(st.integers(start, min(len(FULL), start + 6)))
    letters = st.text(st.sampled_from(list('[]{}=".,#\n 0123456789eE+-_naif\\\0"é')), max_size=6)
    case = read(FULL[:start] + data.draw(letters) + FULL[end:])
    if case is not None:
        check(case)


NUMBERS = st.integers(-(2**70), 2**70) | st.floats() | st.integers(-30, 30)
ANY: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["at", "type", "unit", "models", "paths", "facing", "z", "x"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@steady
@given(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["deploy", "drop", "walk", "throw", "recall", "end-step"]) | ANY},
        optional={
            "unit": st.sampled_from(["guard", "cart", "moles", "nobody"]) | ANY,
            "models": ANY | st.lists(st.lists(NUMBERS, max_size=4), max_size=4),
            "paths": ANY | st.lists(st.lists(st.lists(NUMBERS, max_size=4), max_size=2), min_size=3, max_size=3),
        },
    )
)
def test_any_command(raw: dict[str, Any]) -> None:
    from msgspec.structs import replace

    document = replace(parse_document("f.toml", FULL), command=raw)
    try:
        case = build_case("f.toml", document, GAMES, FULL)
    except ScenarioError as error:
        check_form(error)
        return
    check(case)


def test_the_undamaged_file_is_read() -> None:
    case = read(FULL)
    assert case is not None
    check(case)
