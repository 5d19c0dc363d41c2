"""The window's tools without a screen: files asked for and replaced, opening, snapping, pockets, replay."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest

from sim.app.opening import Opener, session_of
from sim.app.window.window import Window
from sim.record import read_record
from sim.resources import data_path
from sim.view.story import story

pytestmark = pytest.mark.xdist_group("window")
DEMO = str(data_path("assets/scenarios/demo.toml"))
ILLEGAL, LEGAL = (30.5, 27.5), (36.0, 32.0)


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Window]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    pygame.display.quit()

    made = Window(session_of(DEMO, 1, journal=True), (1280, 720), loader=Opener(1, journal=False))
    made.step()
    yield made
    made.session.close()
    pygame.display.quit()


@pytest.fixture
def press(window: Window) -> Callable[[int], None]:
    def key(code: int, mod: int = 0) -> None:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, mod=mod, unicode="", scancode=0))
        window.step()
        window.step()

    return key


def hold(window: Window, at: tuple[float, float]) -> None:
    """Take the demo's storm team in hand over a point."""
    offer = next(o for o in window.session.offers if o.unit == "storm-team")
    window.session.pick(offer, at)
    window._refresh()
    window.step()


def test_nothing_is_replaced_without_a_question(window: Window, press: Callable[[int], None], tmp_path: Path) -> None:
    scenario = tmp_path / "keep.toml"
    scenario.write_text("title = 'mine'")
    window.dialogs.choose("save", str(scenario))
    assert scenario.read_text() == "title = 'mine'", "a record has its own ending"
    record = tmp_path / "keep.toml.jsonl"
    assert read_record(record).entries == ()
    before = record.read_bytes()
    hold(window, LEGAL)
    window.session.drop()
    window.dialogs.choose("save", str(record))
    assert record.read_bytes() == before
    press(pygame.K_ESCAPE)
    assert record.read_bytes() == before, "Escape keeps what is there"
    window.dialogs.choose("save", str(record))
    press(pygame.K_RETURN)
    assert len(read_record(record).entries) == 1


def test_a_file_that_cannot_be_opened_is_said_and_the_table_stays(
    window: Window, press: Callable[[int], None], tmp_path: Path
) -> None:
    (tmp_path / "bad.toml").write_text("x = [")
    session = window.session
    window.finish("open", tmp_path / "bad.toml")
    assert window.session is session
    assert window.dialogs.open
    press(pygame.K_ESCAPE)
    assert not window.dialogs.open
    window.finish("open", data_path("assets/records/demo.jsonl"))
    assert window.session is not session
    assert len(window.session.game.entries) == 12


@pytest.mark.parametrize("long", range(30, 130, 7))
def test_every_word_of_a_fault_is_shown(window: Window, tmp_path: Path, long: int) -> None:
    name = ("Wide<b>&amp;" * 12)[:long] + ".toml"
    window.finish("open", tmp_path / name)
    assert window.dialogs._box is not None
    block = window.dialogs._box.text_block
    rows = ["".join(getattr(item, "text", "") for item in row.items) for row in block.text_box_layout.layout_rows]
    assert name in "".join(rows).replace(" ", "")
    window.dialogs._box.kill()
    (tmp_path / f"{name}.jsonl").write_text("mine")
    window.dialogs.choose("save", str(tmp_path / name))
    assert window.dialogs._question is not None
    window.step()


def test_the_picture_tool_writes_a_picture(window: Window, tmp_path: Path) -> None:
    window.dialogs.choose("picture", str(tmp_path / "table"))
    assert (tmp_path / "table.png").read_bytes().startswith(b"\x89PNG")


def until(window: Window, words: str) -> None:
    """Go on until the panel says something; fails when that takes too long."""
    end = time.monotonic() + 30
    while words not in window.panel.text:
        assert time.monotonic() < end, window.panel.text
        window.step(1 / 60)
        time.sleep(0.005)  # a window rests between two pictures; what is looked for beside it needs that


def test_alt_snaps_to_the_nearest_legal_spot(window: Window, press: Callable[[int], None]) -> None:
    hold(window, ILLEGAL)
    assert "Not here" in window.panel.text
    until(window, "Press Alt to snap: legal 0.")
    press(pygame.K_LALT)
    assert "Yes: Storm Team may stand here" in window.panel.text
    assert "to the nearest legal spot" in window.panel.text, "a note is seen while a unit is in hand"
    press(pygame.K_RETURN)
    assert len(window.session.game.entries) == 1


@pytest.mark.parametrize("what", ["drop", "measure", "pockets", "alt"])
def test_escape_takes_the_note_away_with_what_it_was_about(
    window: Window, press: Callable[[int], None], what: str
) -> None:
    if what != "measure":
        hold(window, ILLEGAL)
    press({"drop": pygame.K_RETURN, "measure": pygame.K_m, "pockets": pygame.K_p, "alt": pygame.K_LALT}[what])
    assert window.note or what == "pockets"
    press(pygame.K_ESCAPE)
    assert window.note == ""
    assert window.session.held is None
    assert window.scene.caption.headline == ""
    assert "Not here" not in window.panel.text.replace(window.session.battle.title, "")


def test_alt_looks_and_a_hand_that_moves_on_gives_it_up(window: Window, press: Callable[[int], None]) -> None:
    hold(window, ILLEGAL)
    press(pygame.K_LALT)
    until(window, "Yes: Storm Team may stand here")
    hold(window, ILLEGAL)
    window._snap()
    assert "Looking for the nearest" in window.note
    window.session.hold_at((ILLEGAL[0] + 0.5, ILLEGAL[1]))
    window.step()
    assert window.note == ""
    for _ in range(120):
        window.step(1 / 60)
    assert window.session.held is not None
    assert window.session.held.grip == (ILLEGAL[0] + 0.5, ILLEGAL[1]), "nothing jumps under the hand"


def test_what_is_pressed_while_nothing_could_be_seen_is_dropped(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold(window, LEGAL)
    monkeypatch.setattr("sim.app.window.window.BLIND", 0.0)
    for code in (pygame.K_q, pygame.K_RETURN):
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, mod=0, unicode="", scancode=0))
    window.step()
    assert window.session.held is not None, "Return was pressed at an old picture"
    assert window.session.game.entries == ()


def test_p_numbers_the_pockets(window: Window, press: Callable[[int], None]) -> None:
    hold(window, ILLEGAL)
    press(pygame.K_p)
    texts = [item.text for item in window.scene.items if hasattr(item, "text")]
    assert "1: all 5" in texts
    press(pygame.K_p)
    assert not [item for item in window.scene.items if getattr(item, "style", "") == "label"]


def test_keys_leave_the_battle_alone_while_it_is_played_back(window: Window, press: Callable[..., None]) -> None:
    hold(window, LEGAL)
    window.session.drop()
    window.tool("replay")
    assert window.replay is not None
    press(pygame.K_z, pygame.KMOD_CTRL)
    press(pygame.K_q)
    assert len(window.session.game.entries) == 1
    press(pygame.K_ESCAPE)
    assert window.replay is None
    press(pygame.K_z, pygame.KMOD_CTRL)
    assert window.session.game.entries == ()


@pytest.mark.parametrize("size", [(800, 600), (820, 1200), (1280, 720)])
def test_the_bar_shows_the_current_phase_in_every_window(window: Window, size: tuple[int, int]) -> None:
    window.finish("open", data_path("assets/scenarios/wh40k10-500-battle.toml"))
    window.resize(*size)
    seen = set()
    for _ in range(12):
        clock = window.session.battle.clock
        title = next(phase.title for phase in window.session.ruleset.phases if phase.name == clock.phase)
        window.step()
        window.paint()
        assert title in window.phases
        seen.add(title)
        window.tool("end-step")
        while window.session.question is not None:
            window._told(window.session.answer(window.session.question.need.options[0]))
        if window._options:
            window._told(window.session.do(window._options[0]))
    assert len(seen) > 3


@pytest.mark.parametrize("size", [(820, 1200), (900, 1600)])
def test_a_tall_window_is_filled(window: Window, size: tuple[int, int]) -> None:
    hold(window, ILLEGAL)
    window.resize(*size)
    window.step()
    table, panel = window.table_area, window.panel.area
    assert table.width > 0.95 * size[0]
    assert panel.top > table.bottom
    assert panel.width == table.width
    assert panel.bottom > size[1] - 20
    field = window.session.battle.battlefield
    shown = window.pixel((field.width, 0.0))[0] - window.pixel((0.0, 0.0))[0]
    assert shown > 0.85 * size[0], "the table takes the width"
    window.tool("end-step")
    window.finish("open", data_path("assets/records/demo.jsonl"))
    window.tool("replay")
    assert window.replay is not None
    areas = (window.table_area, window.replay.area, window.panel.area)
    assert [a.colliderect(b) for a in areas for b in areas if a is not b] == [0] * 6


def mouse(window: Window, kind: int, at: tuple[float, float], **fields: object) -> None:
    """A real event of the mouse at a pixel."""
    pos = (round(at[0]), round(at[1]))
    pygame.event.post(pygame.event.Event(kind, pos=pos, **fields))
    window.step(0.0)


def test_the_line_of_time_is_pressed_pulled_and_told(window: Window) -> None:
    window.finish("open", data_path("assets/records/demo.jsonl"))
    window.tool("replay")
    replay = window.replay
    assert replay is not None
    line, film = replay.line, replay.film
    y = line.centery

    def x(seconds: float) -> float:
        return line.left + line.width * seconds / film.duration

    mouse(window, pygame.MOUSEBUTTONDOWN, (x(film.times[5]), y), button=1)
    assert replay.seconds == film.times[5], "a dot takes the hand"
    assert not replay.playing
    mouse(window, pygame.MOUSEMOTION, (line.right + 50, y + 90), rel=(1, 1), buttons=(1, 0, 0))
    assert replay.seconds == film.duration
    mouse(window, pygame.MOUSEBUTTONUP, (line.right + 50, y + 90), button=1)
    mouse(window, pygame.MOUSEMOTION, (x(film.times[0]), y), rel=(1, 1), buttons=(0, 0, 0))
    assert replay.seconds == film.duration, "let go"
    record = window.session.record()
    command = window.session.game.entries[0].command
    told = story(window.session.ruleset, record.header.start, command, record.entries[0].events)
    assert told
    assert replay.told == f"entry 1: {'. '.join(told)}"
    mouse(window, pygame.MOUSEMOTION, (x(film.times[0]), y - 200), rel=(1, 1), buttons=(0, 0, 0))
    assert replay.told == ""


def test_everything_fits_when_the_window_is_small_or_large(window: Window) -> None:
    hold(window, ILLEGAL)
    for size in ((960, 640), (1920, 1080)):
        window.resize(*size)
        window.step()
        assert "why" in window.panel.text
        field = window.session.battle.battlefield
        for corner in ((0.0, 0.0), (field.width, field.depth)):
            x, y = window.camera.to_picture(corner)
            assert -1 <= x <= window.table_area.width + 1
            assert -1 <= y <= window.table_area.height + 1


def options_of(window: Window) -> None:
    """Show the options of the first thing that needs no spot."""
    offer = next(o for o in window.session.offers if o.unit and window.session.chooses(o))
    window._chosen(offer)
    window._refresh()


@pytest.fixture
def shooting(window: Window, tmp_path: Path) -> Window:
    """A window in the middle of a Shooting phase."""
    window.finish("open", data_path("assets/scenarios/wh40k10-500-battle.toml"))
    while window.session.battle.clock.phase != "shooting":
        window.tool("end-step")
        while window.session.question is not None:
            window._told(window.session.answer(window.session.question.need.options[0]))
    window.step()
    return window


@pytest.mark.parametrize("change", ["open", "end-step", "undo", "replay", "load"])
def test_options_go_with_the_battle_that_they_were_of(shooting: Window, change: str) -> None:
    options_of(shooting)
    shooting.step()
    if change in ("open", "load"):
        shooting.finish("open", data_path("assets/records/demo.jsonl"))
    else:
        shooting.tool(change)
    shooting.step()
    assert change == "replay" or shooting._options == ()
    assert shooting.panel.text


def test_opening_ends_the_playback_of_the_battle_before(window: Window) -> None:
    hold(window, LEGAL)
    window.session.drop()
    window.tool("replay")
    window.step()
    window.finish("open", data_path("assets/records/demo.jsonl"))
    window.step()
    assert window.replay is None
    assert len(window.session.game.entries) == 12, "the other battle is whole"


def test_whatever_changes_the_battle_is_seen_at_once(window: Window) -> None:
    hold(window, LEGAL)
    window.session.drop()  # as anything else may, without the window's knowing
    window.step()
    assert "Storm Team" not in "".join(offer.title for offer in window.panel._offers)
    window.session.undo()
    window.step()
    assert any(offer.unit == "storm-team" for offer in window.panel._offers)


def test_a_fault_while_showing_is_a_box_and_not_the_end(
    window: Window, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds = iter(range(6))
    honest = window.step

    def step(elapsed: float = 1 / 60) -> None:
        number = next(rounds)
        if number == 1:
            raise KeyError("shoot")
        if number == 4:
            window.open = False
        honest(elapsed)

    monkeypatch.setattr(window, "step", step)
    window.run()
    assert window.dialogs.open
    assert "KeyError" in capsys.readouterr().err


def test_faults_that_do_not_end_are_not_hidden(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    def step(elapsed: float = 1 / 60) -> None:
        raise KeyError("always")

    monkeypatch.setattr(window, "step", step)
    with pytest.raises(KeyError, match="always"):
        window.run()
