"""The window: events in, session asked, scene painted. It decides no rule and knows no game."""

from __future__ import annotations

import math
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pygame
import pygame_gui

from sim.analysis import shift
from sim.app.opening import Opened
from sim.app.window import bar, style
from sim.app.window.answer import answer, answer_words, watching
from sim.app.window.dialogs import Dialogs
from sim.app.window.export import Export
from sim.app.window.held import Held
from sim.app.window.panel import ANSWER, BACK, OPTION, Panel
from sim.app.window.panel import WIDTH as PANEL_WIDTH
from sim.app.window.places import next_picture
from sim.app.window.replay import HEIGHT as REPLAY_HEIGHT
from sim.app.window.replay import Replay, Watched
from sim.app.window.session import Session
from sim.app.window.work import Work
from sim.battle import Battle, Battlefield
from sim.geometry import Placed, Point
from sim.render.painter import Painter
from sim.render.picture import fitting, save_still
from sim.rules import Command, EndStep, Offer, Verdict
from sim.view import Camera, Caption, Item, Label, Ruler, Scene, compose
from sim.view.theme import theme
from sim.view.timeline import Timeline

LEAST_SIZE = (800, 560)  # pixels of the window
TOP = 56  # pixels of the bar with the phases
EDGE = 12
FRAME = 3.0  # inches that the frame of the table needs, about
PANEL_LEAST = 400  # pixels of height that the panel has at least below the table
FRAMES = 60  # a second, at most
REST = 0.15  # seconds after which a camera that moved rests
PACE = 0.6  # seconds from one thing that a computer does to the next
STILL = 0.25  # seconds after which a unit is held still
CLIP_SIZE = (1280, 720)
PICTURE_SIZE = (1920, 1080)
CLIP_RATE = 30
BLIND = 0.5  # seconds without a picture after which presses are dropped
PRESSES = (pygame.MOUSEBUTTONDOWN, pygame.KEYDOWN)
MOST_FAILURES = 3  # rounds after one another that end in a fault of the program


class Window:
    """A table on the screen; ``step`` does one round of events and painting, ``run`` does them until it is closed."""

    def __init__(
        self,
        session: Session,
        size: tuple[int, int] = (1600, 1000),
        look: str = "table",
        loader: Callable[[str], Opened] | None = None,
    ) -> None:
        pygame.init()
        pygame.display.set_caption("inchwise")
        desktop = pygame.display.get_desktop_sizes()[0]
        if pygame.display.get_driver() != "dummy":  # the dummy has no screen that a window could be too large for
            size = (min(size[0], desktop[0]), min(size[1], desktop[1]))
        self.surface = pygame.display.set_mode(size, pygame.RESIZABLE)
        self.session = session
        self.look = look
        self.painter = Painter(theme(look))
        self.manager = pygame_gui.UIManager(size, style.widgets())
        self.open = True
        self.note = ""
        self._loader = loader  # how a file becomes a battle; raises ValueError in one line
        self.replay: Replay | None = None
        self.export: Export | None = None
        self.dialogs = Dialogs(self.manager, self.surface.get_rect(), self.finish)
        self._options: tuple[Command, ...] = ()  # of something that needs no spot, while one is chosen
        self._pockets: tuple[Item, ...] = ()  # their numbers, while they are shown
        self._verdict: Verdict | None = None
        self._panning = False
        self._pressed: Point | None = None
        self._measuring: list[Point] | None = None
        self._clock = pygame.time.Clock()
        self._dirty = True
        self._asked: Held | None = None  # what is held, while the nearest legal spot for it is not looked for yet
        self._instead: float | None = None  # inches to that spot
        self._found: Held | None = None  # what is held, at that spot
        self._search: Work[Held | None] | None = None  # what looks for it
        self._is_blind = False  # whether nothing could be seen for a while
        self._wants_to_snap = False  # whether the unit is to go there as soon as it is found
        self._idle_at: Battle | None = None  # the battle in which no computer has anything to do
        self._decision: tuple[Battle, Work[Command | None]] | None = None  # what a computer is thinking about
        self._still = 0.0  # seconds for which it has been held still
        self._rest = 0.0  # seconds until a moving camera counts as resting
        self._thinking = 0.0  # seconds since a computer last did something
        self.phases: list[str] = []  # titles that the bar has room for
        self._shown: tuple[object, ...] = ()  # what was shown last, as ``_now`` tells it
        self._arrange()
        self.panel = Panel(self.manager, self._panel_area)
        self.camera = Camera((0.0, 0.0), 1.0, 1, 1)
        self.fit()
        self._refresh()

    # ---- the loop

    def run(self) -> None:
        """Until the window is closed."""
        failed = 0
        while self.open:
            elapsed = self._clock.tick(FRAMES) / 1000
            try:
                self.step(elapsed)
            except Exception as error:
                failed += 1
                if failed > MOST_FAILURES:  # the box itself cannot be shown
                    raise
                self._say_failure(error)
            else:
                failed = 0
        if self.export is not None:
            self.export.stop()
            self.export.join(10.0)
        self.session.close()

    def _say_failure(self, error: Exception) -> None:
        """A fault of the program: told in a box, with where the battle is safe; what was being shown is let go."""
        traceback.print_exception(error)
        self._options, self._pockets = (), ()
        self.session.let_go()
        if self.replay is not None:
            self.replay.kill()
            self.replay = None
        kept = "" if self.session.journal is None else f" All that was done is safe in {self.session.place}."
        self.complain(f"inchwise met a fault of its own ({type(error).__name__}: {error}).{kept}")
        self._dirty = True

    def step(self, elapsed: float = 1 / FRAMES) -> None:
        """One round: what happened, what it means, what is seen."""
        for event in pygame.event.get():
            if event.type in PRESSES and self._is_blind:
                continue
            began = time.monotonic()
            self.handle(event)
            self._is_blind = self._is_blind or time.monotonic() - began > BLIND
        if self._is_blind:  # what was pressed meanwhile was pressed at a picture that is no more
            pygame.event.clear(PRESSES)
            self._is_blind = False
        self.manager.update(elapsed)
        if self.replay is not None and self.replay.playing:
            self.replay.advance(elapsed)
            self._refresh()
        if self.export is not None:
            self._watch_export()
        self._wait_for_computer(elapsed)
        if self._rest > 0:  # the camera has just moved: paint roughly now, and well once it rests
            self._rest = max(0.0, self._rest - elapsed)
            self._dirty = True
        self._look_for_better(elapsed)
        if not _same(self._now(), self._shown):
            self._refresh()
        if self._dirty or self.manager.get_hovering_any_element() or self.dialogs.open:
            self.paint()
            pygame.display.flip()

    def _wait_for_computer(self, elapsed: float) -> None:
        """Whoever plays by itself does one thing after another, so slowly that a person can follow."""
        if not self.session.computers or self.replay is not None or self.dialogs.open:
            return
        self._thinking += elapsed
        if self._decision is None:
            find = None if self._idle_at is self.session.battle else self.session.computers_turn()
            if find is not None:
                self._decision = (self.session.battle, Work(find))
            return
        battle, work = self._decision
        if work.running or self._thinking < PACE:
            return
        self._thinking, self._decision = 0.0, None
        command = work.answer
        if command is None:
            self._idle_at = battle
        if command is None or battle is not self.session.battle or self.session.computers_turn() is None:
            return
        self.session.do_for_computer(command)
        self._refresh()

    def _look_for_better(self, elapsed: float) -> None:
        """Once the unit is held still over an illegal spot, look for the nearest legal one, beside the window."""
        if self._asked is None or self._verdict is None:
            return
        if self._search is not None:
            self._search_on()
        elif not self._verdict.legal and self._still <= STILL:
            self._still += elapsed
            if self._still > STILL:
                self._search_for()

    def _search_for(self) -> None:
        find = self.session.better()
        if find is not None:
            self._search = Work(find)

    def _search_on(self) -> None:
        """Take what the search has found, once it has: told, and taken where somebody waits for it."""
        assert self._search is not None
        if self._search.running:
            return
        spot, self._search = self._search.answer, None
        if spot is None:
            self._instead = None
            if self._wants_to_snap:
                self.note = "No legal spot was found for this formation."
        elif self._wants_to_snap:
            assert self._asked is not None
            self.note = f'Snapped {shift(self._asked.poses, spot.poses):.2f}" to the nearest legal spot.'
            self.session.snap(spot)
        else:
            assert self._asked is not None
            self._instead, self._found = shift(self._asked.poses, spot.poses), spot
        self._wants_to_snap = False
        self._refresh()

    def _snap(self) -> None:
        """Alt: to the nearest legal spot, now if it is known, else as soon as it is found."""
        if self._asked is None or self._verdict is None:
            self.note = "Nothing is in hand."
        elif self._verdict.legal:
            self.note = "It is legal where it is."
        elif self._found is not None:
            self.note = f'Snapped {self._instead:.2f}" to the nearest legal spot.'
            self.session.snap(self._found)
        else:
            self._wants_to_snap = True
            self.note = "Looking for the nearest legal spot … moving on gives it up."
            if self._search is None:
                self._search_for()

    def handle(self, event: pygame.event.Event) -> None:
        """Let one event take effect; what the disk refuses is said, and has not happened."""
        try:
            self._handle(event)
        except OSError as error:
            self.complain(f"{error.strerror or error}: {error.filename or self.session.place}. Nothing was done.")
            self._refresh()

    def _handle(self, event: pygame.event.Event) -> None:
        self._dirty = True
        if event.type == pygame.QUIT:
            self.open = False
            return
        if event.type == pygame.VIDEORESIZE:
            self.resize(event.w, event.h)
            return
        taken = self.manager.process_events(event)
        if event.type == pygame_gui.UI_BUTTON_PRESSED:
            self._button(event.ui_element)
        elif self.dialogs.handle(event):
            pass
        elif self.replay is not None and self.replay.handle(event):
            self._refresh()
        elif not taken:
            self._table_event(event)

    # ---- where things are

    def _arrange(self) -> None:
        """The panel beside the table, or below it where the table becomes larger by that."""
        width, height = self.surface.get_size()
        low = REPLAY_HEIGHT + EDGE if self.replay is not None else 0
        field = self.session.battle.battlefield
        beside = pygame.Rect(EDGE, TOP, width - PANEL_WIDTH - 3 * EDGE, height - TOP - EDGE - low)
        wide = width - 2 * EDGE
        natural = round(wide * (field.depth + FRAME) / (field.width + FRAME))
        above = pygame.Rect(EDGE, TOP, wide, min(natural, height - TOP - PANEL_LEAST - 2 * EDGE - low))
        if above.height > 0 and _scale_in(above, field) > _scale_in(beside, field):
            self.table_area, self._bar_right = above, width - EDGE
            top = above.bottom + EDGE + low
            self._panel_area = pygame.Rect(EDGE, top, wide, height - EDGE - top)
        else:
            self.table_area, self._bar_right = beside, beside.right
            self._panel_area = pygame.Rect(beside.right + EDGE, EDGE, PANEL_WIDTH, height - 2 * EDGE)
        self._replay_area = pygame.Rect(EDGE, self.table_area.bottom + EDGE, self.table_area.width, REPLAY_HEIGHT)

    def resize(self, width: int, height: int) -> None:
        """The window has another size; one that is too small for the panel is made larger again."""
        wanted = (max(width, LEAST_SIZE[0]), max(height, LEAST_SIZE[1]))
        if wanted != self.surface.get_size():
            self.surface = pygame.display.set_mode(wanted, pygame.RESIZABLE)
        width, height = wanted
        self.manager.set_window_resolution((width, height))
        self.dialogs.area = pygame.Rect(0, 0, width, height)
        self._rearrange()

    def _rearrange(self) -> None:
        self._arrange()
        self.panel.place(self._panel_area)
        if self._fitted:
            self.fit()
        else:
            self.camera = self.camera.sized(*self.table_area.size)
        if self.replay is not None:
            self.replay.place(self._replay_area)
        self._refresh()

    def fit(self) -> None:
        """Show the whole table."""
        self.camera = fitting(self.scene, self.table_area.size, 1.0)
        self._fitted = True

    def inches(self, pixel: Point) -> Point:
        """The point of the table under a pixel of the window."""
        return self.camera.to_table((pixel[0] - self.table_area.left, pixel[1] - self.table_area.top))

    def pixel(self, point: Point) -> tuple[int, int]:
        """The pixel of the window over a point of the table."""
        x, y = self.camera.to_picture(point)
        return (round(x + self.table_area.left), round(y + self.table_area.top))

    # ---- the table

    def _table_event(self, event: pygame.event.Event) -> None:
        match event.type:
            case pygame.MOUSEWHEEL:
                self._wheel(event)
            case pygame.MOUSEMOTION:
                self._motion(event)
            case pygame.MOUSEBUTTONDOWN if self.table_area.collidepoint(event.pos):
                self._press(event)
            case pygame.MOUSEBUTTONUP:
                self._release(event)
            case pygame.KEYDOWN:
                self._key(event)
            case _:
                return

    def _wheel(self, event: pygame.event.Event) -> None:
        at = pygame.mouse.get_pos()
        if not self.table_area.collidepoint(at):
            return
        if self.session.held is not None and pygame.key.get_mods() & pygame.KMOD_SHIFT:
            self._turn(event.y)
            self._refresh()
        else:
            spot = (at[0] - self.table_area.left, at[1] - self.table_area.top)
            self.camera = self.camera.zoomed(1.15**event.y, spot)
            self._fitted = False
            self._rest = REST

    def _motion(self, event: pygame.event.Event) -> None:
        if self._panning:
            self.camera = self.camera.panned(*event.rel)
            self._fitted = False
            self._rest = REST
        elif self._measuring and event.buttons[0]:
            self._measuring[1:] = [self.inches(event.pos)]
        elif self.session.held is not None and self.table_area.collidepoint(event.pos):
            before = self.session.held
            self.session.hold_at(self.inches(event.pos), not _lets_go())
            if self.session.held is not before:
                self.note = ""  # it was about another spot
            self._refresh()

    def _press(self, event: pygame.event.Event) -> None:
        if self.replay is not None and event.button == 1:
            return
        if event.button in (2, 3):
            self._panning = True
            return
        if event.button != 1:
            return
        at = self.inches(event.pos)
        self._pressed = event.pos
        if self._measuring is not None:
            self._measuring = [at, at]
        elif self.session.held is None:
            self._take_from_table(at)
        elif self.session.held.pinned:
            if not self.session.grab_model(at):
                self.session.regrip(at)
        else:
            self.session.hold_at(at, not _lets_go())
            self._drop()
        self._refresh()

    def _release(self, event: pygame.event.Event) -> None:
        if event.button in (2, 3):
            self._panning = False
        if event.button != 1 or self._pressed is None:
            return
        dragged = math.dist(event.pos, self._pressed) > 6
        self._pressed = None
        held = self.session.held
        if held is None or not dragged:
            return
        if held.model is not None:
            self.session.release_model()
        elif not held.pinned:
            self._drop()
        self._refresh()

    def _take_from_table(self, at: Point) -> None:
        for unit in self.session.battle.units:
            if not unit.on_table:
                continue
            for model in unit.models:
                if model.pose is not None and math.dist(model.pose.at, at) <= Placed(model.base, model.pose).radius:
                    offers = self.session.offers_for(unit.id)
                    if self.session.question is not None:
                        return
                    if offers:
                        self._options = ()
                        self._begin(offers[0], at)
                    else:
                        self.note = f"{unit.name} can do nothing in this step."
                    return

    def _drop(self) -> None:
        verdict = self.session.drop()
        if verdict is None or self.session.question is not None:
            return
        self.note = "" if verdict.legal else self._why_not(verdict)

    def _why_not(self, verdict: Verdict) -> str:
        """Why what was set down may not be there, and what has become of it."""
        why = next(compose.grouped(self.session.battle, verdict.violations))
        lies = self.session.held is not None and self.session.held.pinned
        return f"Not here: {why}. {'It is laid down, to be put right; Esc puts it back.' if lies else ''}".rstrip()

    def _key(self, event: pygame.event.Event) -> None:
        control = bool(event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META))
        watching = (pygame.K_ESCAPE, pygame.K_SPACE, pygame.K_f, pygame.K_HOME, pygame.K_F12)
        if self.replay is not None and event.key not in watching:
            return
        match event.key:
            case pygame.K_ESCAPE:
                self._escape()
            case pygame.K_z if control:
                self.tool("redo" if event.mod & pygame.KMOD_SHIFT else "undo")
            case pygame.K_y if control:
                self.tool("redo")
            case pygame.K_s if control:
                self.tool("save")
            case pygame.K_o if control:
                self.tool("open")
            case pygame.K_F12:
                self.tool("snapshot")
            case pygame.K_LALT | pygame.K_RALT:
                self._snap()
            case pygame.K_p:
                self._toggle_pockets()
            case pygame.K_r:
                self.session.asks_re_rolls = not self.session.asks_re_rolls
                asked = "asked for" if self.session.asks_re_rolls else "not asked for"
                self.note = f"Re-rolls are {asked} after a roll."
            case pygame.K_q | pygame.K_e:
                self._turn(1 if event.key == pygame.K_q else -1)
            case pygame.K_w | pygame.K_n:
                self.note = self.session.widen(1 if event.key == pygame.K_w else -1)
            case pygame.K_PAGEUP | pygame.K_PAGEDOWN:
                self.note = self.session.raise_by_one(event.key == pygame.K_PAGEUP)
            case pygame.K_m:
                self._measuring = None if self._measuring is not None else []
                self.note = "Measure: drag from point to point. M ends it." if self._measuring is not None else ""
            case pygame.K_f | pygame.K_HOME:
                self.fit()
            case pygame.K_SPACE:
                self._space()
            case pygame.K_RETURN | pygame.K_KP_ENTER:
                self._drop()
            case _:
                return
        self._refresh()

    def _turn(self, steps: int) -> None:
        self.session.turn(steps)
        self.note = ""  # it was about another pose

    def _toggle_pockets(self) -> None:
        """Number the pockets in which the held unit could be set down, or take the numbers away."""
        count = 0 if self.session.held is None else len(self.session.held.unit.models)
        if self._pockets or not count:
            self._pockets = ()
            return
        assert self.session.held is not None
        if not self.session.held.chooses_ground:
            self.note = f"{self.session.held.play.title}: there are no pockets to choose from."
            return
        labels = []
        for pocket in self.session.pockets():
            spot = pocket.shape.representative_point()
            holds = f"{pocket.number}: all {count}" if pocket.fits >= count else f"{pocket.number}: {pocket.fits}"
            labels.append(Label((spot.x, spot.y), holds, size=17))
        self._pockets = tuple(labels)

    def _space(self) -> None:
        if self.replay is not None:
            self.replay.play(not self.replay.playing)
        else:
            self.session.pin()

    def _escape(self) -> None:
        if self.export is not None and self.export.running:
            self.export.stop()
            return
        self.note = ""  # it was about what is put back
        if self.replay is not None:
            self._close_replay()
        elif self._measuring is not None:
            self._measuring = None
        else:
            self._options = ()
            self.session.let_go()

    # ---- buttons and tools

    def _button(self, element: object) -> None:
        if self.replay is not None:
            if element is self.replay.toggle:
                self.replay.play(not self.replay.playing)
            elif element is self.replay.back:
                self._close_replay()
            elif self.replay.take is not None and element is self.replay.take:
                self._take_over(self.replay.entry)
        what = self.panel.pressed(element)
        if isinstance(what, Offer):
            if self.replay is None:
                self._chosen(what)
                self._refresh()
        elif what is not None:
            self.tool(what)

    def _chosen(self, what: Offer) -> None:
        """A button of the list: an answer, one of several options, or something that can be done."""
        self.note = ""
        self._pockets = ()
        if what.command == ANSWER:
            self._told(self.session.answer(what.unit))
        elif what.command == OPTION:
            command = self._options[int(what.unit)]
            self._options = ()
            self._told(self.session.do(command))
        elif what.command == BACK:
            self._options = ()
        else:
            self._begin(what, self.session.middle_of(what.unit) or self.inches(self.table_area.center))

    def _begin(self, offer: Offer, at: Point) -> None:
        """Take a unit in hand, or show the options of what needs no spot."""
        opened = self.session.open_with(offer)
        if opened is not None:
            self._told(opened)
            if not opened.legal or self.session.question is not None or offer not in self.session.offers:
                return
        if not self.session.chooses(offer):
            self.session.pick(offer, at)
            return
        self._options = self.session.options(offer)
        if not self._options:
            self.note = f"{offer.title}: there is nothing that it could do now."

    def _told(self, verdict: Verdict) -> None:
        if not verdict.legal:
            self.note = verdict.violations[0].message

    def _buttons(self) -> tuple[Offer, ...]:
        """What the list of buttons offers now."""
        question = self.session.question
        if question is not None:
            battle, need = self.session.battle, question.need
            known = {option.name: option for option in need.about}
            return tuple(Offer(ANSWER, name, answer_words(battle, name, known.get(name))) for name in need.options)
        if self._options:
            describe, battle = self.session.ruleset.describe, self.session.battle
            made = [Offer(OPTION, str(k), describe(battle, c)) for k, c in enumerate(self._options)]
            return (*made, Offer(BACK, "back", "Back"))
        return self.session.offers

    def tool(self, name: str) -> None:
        """Use a tool by its name."""
        match name:
            case "undo":
                self.note = "" if self.session.undo() else "There is nothing to undo."
            case "redo":
                self.note = "" if self.session.redo() else "There is nothing to redo."
            case "end-step":
                self._end_step()
            case "snapshot":
                self.finish("picture", next_picture())
            case "save" | "open" | "clip" | "picture":
                self.dialogs.ask(name)
            case _:
                if self.replay is None:
                    self.watch()
        self._refresh()

    def _end_step(self) -> None:
        """End the step; where that leaves something undone, only when the person says so."""
        if self.session.left_behind:
            self.session.let_go()
            self._options = (EndStep(),)
            return
        self._options = ()
        verdict = self.session.end_step()
        self.note = "" if verdict.legal else verdict.violations[0].message

    def finish(self, tool: str, path: Path) -> None:
        """Do what a tool needed a file for; what goes wrong is said and changes nothing."""
        try:
            match tool:
                case "save":
                    self.session.save(path)
                    self.note = f"Saved: {path.name}"
                case "picture":
                    save_still(self.still, path, theme(self.look), PICTURE_SIZE)
                    self.note = f"Picture saved: {path}"
                case "clip":
                    record = self.session.record()
                    self.export = Export(record, path, CLIP_SIZE, CLIP_RATE, self.look)
                    self.note = "Filming … Esc calls it off."
                case _:
                    self.load(path)
        except OSError as error:
            self.complain(f"{error.filename or path}: {error.strerror or error}.")
        except (ValueError, pygame.error) as error:
            self.complain(str(error))
        self._refresh()

    def load(self, path: Path) -> None:
        """See the battle of another file; raises ``ValueError``, and keeps this one, when it cannot be read."""
        if self._loader is None:
            raise ValueError("this window opens no other files")
        opened = self._loader(str(path))
        self._close_replay()
        self.session.let_go()
        self.session.close()
        self.session = opened.session
        self.begin(opened)

    def begin(self, opened: Opened) -> None:
        """Show a battle that has just been opened, and say what is to be said about it; a storyboard is played."""
        self.note = opened.note
        self._fitted = True
        self._rearrange()  # its table may be of another size
        if opened.story is not None:
            self._play_back(opened.story)

    def complain(self, what: str) -> None:
        """Say in a box what went wrong."""
        self.dialogs.say(what)

    def _watch_export(self) -> None:
        assert self.export is not None
        self._dirty = True
        if self.export.running:
            self.note = f"Filming … {self.export.progress:.0%}. Esc calls it off."
        else:
            self.note = self.export.message
            self.export = None
        self._refresh()

    # ---- replay

    def watch(self) -> None:
        """Play back what has been done."""
        self.session.let_go()
        self._play_back(Timeline(self.session.record(), self.session.ruleset))

    def _play_back(self, film: Watched) -> None:
        self.replay = Replay(film, self.manager, self._replay_area)
        self._rearrange()
        self.fit()

    def _close_replay(self) -> None:
        if self.replay is not None:
            self.replay.kill()
            self.replay = None
            self._rearrange()
            self.fit()

    def _take_over(self, entry: int) -> None:
        """Play on from an entry: what came after it is undone, and can be done again."""
        self._close_replay()
        while len(self.session.game.entries) > entry:
            self.session.undo()
        self.note = f"Going on after entry {entry}; Redo brings the rest back."
        self._refresh()

    # ---- what is seen

    def _now(self) -> tuple[object, ...]:
        """What all that is shown depends on: whose game, which battle, what is asked, in hand or played back."""
        session = self.session
        return session, session.battle, session.question, session.held, self.replay

    def _follow(self) -> None:
        """Let go of everything that was shown for another battle than the one that stands now."""
        now = self._now()
        before, self._shown = self._shown, now
        if not before or _same(before[:2], now[:2]):
            return
        self._options, self._pockets, self._measuring = (), (), None
        held = self.session.held
        if held is not None and held.battle is not self.session.battle:
            self.session.let_go()
        if before[0] is not now[0]:
            self._close_replay()

    def _refresh(self) -> None:
        """Ask the judge anew and bring the panel in step."""
        self._dirty = True
        self._follow()
        held = self.session.held
        if held is not self._asked:
            self._asked, self._instead, self._still = held, None, 0.0
            if self._wants_to_snap and self._search is not None:
                self.note = ""  # the hand has moved on
            self._search, self._found, self._wants_to_snap = None, None, False
        self._verdict = self.session.verdict
        if self.replay is None:
            self.panel.rows = answer(
                self.session, self._verdict, self.session.margins(), self.note, self._instead, self._options
            )
        else:
            self.panel.rows = watching(self.replay.scene, self.replay.where)
        free = self.replay is None and self.session.held is None
        self.panel.show_offers(self._buttons() if free else ())
        asked = self.session.question is not None
        self.panel.enable("undo", self.session.can_undo and self.replay is None)
        self.panel.enable("redo", self.session.can_redo and self.replay is None)
        computers_own = self.session.battle.clock.player in self.session.computers
        theirs = computers_own and not self.session.may_answer_the_end
        self.panel.enable("end-step", self.replay is None and not asked and not theirs)
        self.panel.enable("replay", self.replay is None and self.session.game.can_undo)
        self.panel.enable("clip", self.session.game.can_undo and self.export is None)

    @property
    def scene(self) -> Scene:
        """What is on the table now."""
        if self.replay is not None:
            return self.replay.scene
        pockets = self._pockets if self.session.held is not None else ()
        aims = self.session.aims(self._options)
        return self.session.scene(self._verdict, (*pockets, *aims, *self._tape()), Caption())

    @property
    def still(self) -> Scene:
        """What a saved picture shows: the table as it is seen, with the answer in words and nothing to press."""
        if self.replay is not None:
            scene = self.replay.scene
        else:
            pockets = self._pockets if self.session.held is not None else ()
            scene = self.session.scene(
                self._verdict, (*pockets, *self.session.aims(self._options), *self._tape()), self._words_of_still()
            )
        if self._fitted:
            return scene
        (left, top), (right, bottom) = (
            self.inches(self.table_area.topleft),
            self.inches(self.table_area.bottomright),
        )
        return replace(scene, focus=((left, bottom), (right, top)))

    def _words_of_still(self) -> Caption | None:
        """What a picture says besides the answer about a held unit, which the scene brings along."""
        if self.session.held is not None or not self.note:
            return None
        return Caption(self.note)

    def _tape(self) -> tuple[Item, ...]:
        if not self._measuring or len(self._measuring) < 2:
            return ()
        start, end = self._measuring
        return (Ruler(start, end, f'{math.dist(start, end):.2f}"', "note"),)

    def paint(self) -> None:
        """Paint everything."""
        self._dirty = False
        self.surface = pygame.display.get_surface() or self.surface
        self.surface.fill(style.BACK)
        scene = self.scene
        self.painter.paint(scene, self.camera, self.surface, self.table_area, quick=self._rest > 0)
        self._bar(scene.heading)
        self.panel.draw(self.surface)
        if self.replay is not None:
            self.replay.draw(self.surface)
        self.manager.draw_ui(self.surface)

    def _bar(self, heading: str) -> None:
        clock = self.session.battle.clock
        if self.replay is not None:
            clock = self.replay.film.clock_at(self.replay.seconds)
        area = pygame.Rect(EDGE + 6, 14, self._bar_right - EDGE - 6, TOP - 14)
        self.phases = bar.draw(self.surface, area, heading, self.session.ruleset, clock)


def _scale_in(area: pygame.Rect, field: Battlefield) -> float:
    """How large an inch of the table is in an area, in pixels."""
    return min(area.width / (field.width + FRAME), area.height / (field.depth + FRAME))


def _same(some: tuple[object, ...], others: tuple[object, ...]) -> bool:
    """Whether two rows hold the very same things."""
    return len(some) == len(others) and all(a is b for a, b in zip(some, others, strict=True))


def _lets_go() -> bool:
    """Whether Shift is held: bases do not snap into contact."""
    return bool(pygame.key.get_mods() & pygame.KMOD_SHIFT)
