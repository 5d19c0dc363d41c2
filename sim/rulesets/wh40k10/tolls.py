"""What a whole sequence of volleys does to one unit, exactly: the same allocation as with dice, for every state.

A state is the wounds that each model of the unit has left. Each wound goes to the model that the rules name in that
state, with that model's own save, cover, lessened Damage and Feel No Pain; mortal wounds follow when all else is done.
What others suffer from a model that explodes is left out, what its own unit suffers is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from sim.battle import Battle, Model, Unit
from sim.chance import Pmf
from sim.chance.casualties import ignored, repeated
from sim.chance.chains import Chain, Spread, Step, mixed
from sim.rulesets.wh40k10 import (
    leaders,
    losses,
    quantifiers,
    shooting,
)
from sim.rulesets.wh40k10.attacks import NEVER, SIDES, Attack
from sim.rulesets.wh40k10.volleys import Volley, amount

State = tuple[int, ...]
Weights = NDArray[np.float64]
NOBODY = frozenset[str]()


@dataclass(frozen=True)
class Toll:
    """What volleys do to a unit: chances of each count of models destroyed and of wounds lost.

    ``characters`` holds the chance that each leader of the unit is destroyed, ``all_fallen`` that nobody is left to
    whom their attacks can be allocated.
    """

    fallen: Pmf
    lost: Pmf
    all_fallen: float
    characters: tuple[tuple[str, float], ...] = ()


def toll_of(battle: Battle, target: Unit, volleys: Sequence[Volley], precision: bool = True) -> Toll:
    """The exact toll of volleys at one unit, one after another; with ``precision`` Characters are picked out."""
    return _Sufferer(battle, target, precision).toll(volleys)


def toll_of_hazards(battle: Battle, unit: Unit, tests: Sequence[str]) -> Toll:
    """The exact toll of Hazardous tests on their own unit, one for each bearer that is named."""
    return _Sufferer(battle, unit, precision=False).hazards(tests)


class _Sufferer:
    """A unit that suffers, with what is remembered of its states."""

    def __init__(self, battle: Battle, target: Unit, precision: bool) -> None:
        self.battle, self.target, self.precision = battle, target, precision
        self.begin: State = tuple(losses.wounds_of(target, m) - m.wounds_lost for m in target.models)
        self._row = {m.id: k for k, m in enumerate(target.models)}
        self._units: dict[State, Unit] = {}
        self._next: dict[tuple[State, frozenset[str] | None], Model] = {}

    def toll(self, volleys: Sequence[Volley]) -> Toll:
        steps: list[Step[State]] = []
        for volley in volleys:
            steps += [self._by_wound(volley), self._by_mortal(volley)]
        chain = Chain(self.begin, steps)
        waiting: dict[tuple[int, ...], Weights] = {(): chain.start()}
        slots: list[int] = []  # the mortal steps that wait, blows of one kind after another in one slot
        for k, volley in enumerate(volleys):
            groups = self._alike(chain, volley)
            if any(attack is not None and attack.devastating for attack, _ in groups):
                mortal = 2 * k + 1
                if not slots or not np.array_equal(chain.matrices[slots[-1]], chain.matrices[mortal]):
                    slots.append(mortal)
                    waiting = {(*counts, 0): weights for counts, weights in waiting.items()}
            waiting = _fired(chain, 2 * k, len(volley.models), groups, waiting)
        for mortal in slots:
            waiting = _struck(chain, mortal, waiting)
        return self._told(chain, waiting[()], self._reached(volleys))

    def hazards(self, tests: Sequence[str]) -> Toll:
        """So many tests, each of which hurts one bearer where it fails."""
        chain = Chain(self.begin, [self._by_failed_test(tests)])
        failing = shooting.HAZARD_ON / SIDES
        failed = repeated(np.array([1.0 - failing, failing]), Pmf(len(tests), np.ones(1)))
        ends = failed @ chain.powers(chain.start(), 0, len(tests))
        return self._told(chain, ends, range(len(self.begin)))

    def _by_failed_test(self, tests: Sequence[str]) -> Step[State]:
        def step(state: State) -> Spread[State]:
            unit = self.unit(state)
            bearers = shooting.first_to_bear(unit, tests)
            if not bearers:
                return {state: 1.0}
            return self._hurt(state, bearers[0], self._mortal(unit, bearers[0], shooting.HAZARD_WOUNDS))

        return step

    def _alike(self, chain: Chain[State], volley: Volley) -> list[tuple[Attack | None, Weights]]:
        """The states in which a volley would wound alike, with its attack; None where nobody is left."""
        attacks: dict[tuple[object, ...] | None, Attack | None] = {}
        masks: dict[tuple[object, ...] | None, Weights] = {}
        for place, state in enumerate(chain.states):
            unit = self.unit(state)
            attack = volley.attack(self.battle.with_unit(unit)) if unit.models else None
            key = None if attack is None else attack.rolls
            attacks.setdefault(key, attack)
            masks.setdefault(key, np.zeros(len(chain.states)))[place] = 1.0
        return [(attacks[key], masks[key]) for key in attacks]

    def _by_wound(self, volley: Volley) -> Step[State]:
        """One wound that is yet to be saved."""

        def step(state: State) -> Spread[State]:
            model = self.next(state, volley)
            if model is None:
                return {state: 1.0}
            attack = volley.attack(self.battle.with_unit(self.unit(state)), model.id)
            hurt = self._hurt(state, model, attack.felt(attack.ignores_wounds))
            return mixed([(attack.save_chance, {state: 1.0}), (1.0 - attack.save_chance, hurt)])

        return step

    def _by_mortal(self, volley: Volley) -> Step[State]:
        """One blow of mortal wounds by Devastating Wounds."""

        def step(state: State) -> Spread[State]:
            model = self.next(state, volley)
            if model is None:
                return {state: 1.0}
            attack = volley.attack(self.battle.with_unit(self.unit(state)), model.id)
            return self._hurt(state, model, attack.felt(attack.mortal_ignored_on))

        return step

    # --- states

    def unit(self, state: State) -> Unit:
        """The unit as it is in a state."""
        if state not in self._units:
            models = tuple(
                replace(m, wounds_lost=losses.wounds_of(self.target, m) - left)
                for m, left in zip(self.target.models, state, strict=True)
                if left
            )
            self._units[state] = replace(self.target, models=models)
        return self._units[state]

    def next(self, state: State, volley: Volley) -> Model | None:
        """The model to which the next wound is allocated, None where there is none."""
        unit = self.unit(state)
        reached = volley.reached(unit)
        if not unit.models or reached == frozenset():
            return None
        picks = volley.picks(unit) if self.precision else ()
        if picks:
            return next(m for m in unit.models if m.id == picks[0])
        return self._suffers(state, reached)

    def _suffers(self, state: State, among: frozenset[str] | None) -> Model:
        key = (state, among)
        if key not in self._next:
            self._next[key] = losses.next_to_suffer(self.battle, self.unit(state), among)
        return self._next[key]

    def _hurt(self, state: State, model: Model, points: Pmf, dying: frozenset[str] = NOBODY) -> dict[State, float]:
        """Where so many wounds of one blow lead; what the model has too much is lost."""
        k = self._row[model.id]
        out: list[tuple[float, Spread[State]]] = []
        gone = 0.0
        for lost, chance in points.items():
            if lost >= state[k]:
                gone += chance
            elif chance:
                out.append((chance, {(*state[:k], state[k] - lost, *state[k + 1 :]): 1.0}))
        if gone:
            out.append((gone, self._destroyed(state, model, dying)))
        return mixed(out)

    def _destroyed(self, state: State, model: Model, dying: frozenset[str]) -> dict[State, float]:
        """A model is gone, and with it whoever of its unit its Deadly Demise takes along."""
        k = self._row[model.id]
        worth = quantifiers.of_model(self.unit(state), model, "deadly-demise")
        dying |= {model.id}
        spread: dict[State, float] = {state: 1.0}
        if worth and self._explodes_on_its_own(state, model, dying):
            spread = mixed([(1.0 - EXPLODES, spread), (EXPLODES, self._blown(state, worth, dying))])
        out: dict[State, float] = {}
        for after, chance in spread.items():
            left = (*after[:k], 0, *after[k + 1 :])
            out[left] = out.get(left, 0.0) + chance
        return out

    def _explodes_on_its_own(self, state: State, model: Model, dying: frozenset[str]) -> bool:
        unit = self.unit(state)
        if all(m.id in dying for m in unit.models):
            return False
        return unit.id in losses.within_demise(self.battle.with_unit(unit), model, dying)

    def _blown(self, state: State, worth: str, dying: frozenset[str]) -> dict[State, float]:
        """So many mortal wounds, one after another, on whoever is not dying already."""
        points = amount(worth).pmf()
        spread: dict[State, float] = {state: 1.0}
        out: list[tuple[float, Spread[State]]] = []
        for count in range(points.start + len(points.weights)):
            if count:
                spread = mixed([(chance, self._one_mortal(after, dying)) for after, chance in spread.items()])
            if count >= points.start:
                out.append((float(points.weights[count - points.start]), spread))
        return mixed(out)

    def _one_mortal(self, state: State, dying: frozenset[str]) -> dict[State, float]:
        unit = self.unit(state)
        living = frozenset(m.id for m in unit.models) - dying
        if not living:
            return {state: 1.0}
        model = self._suffers(state, living)
        return self._hurt(state, model, self._mortal(unit, model, 1), dying)

    def _mortal(self, unit: Unit, model: Model, wounds: int) -> Pmf:
        """What is felt of so many mortal wounds on one model."""
        ignores = losses.feel_no_pain(unit, "mortal", model)
        whole = Pmf(wounds, np.ones(1))
        return whole if ignores is None else ignored(whole, (NEVER - ignores) / SIDES)

    # --- what came of it

    def _told(self, chain: Chain[State], weights: Weights, reached: Iterable[int]) -> Toll:
        begin = self.begin
        fallen, lost = np.zeros(len(begin) + 1), np.zeros(sum(begin) + 1)
        among = tuple(reached)
        leading = [self._row[m.id] for m in leaders.characters(self.target)]
        dead = dict.fromkeys(leading, 0.0)
        everyone = 0.0
        for state, chance in chain.items(weights):
            fallen[state.count(0)] += chance
            lost[sum(begin) - sum(state)] += chance
            everyone += chance * all(not state[k] for k in among)
            for k in leading:
                dead[k] += chance * (not state[k])
        names = tuple((self.target.models[k].id, chance) for k, chance in dead.items())
        return Toll(_pmf(fallen), _pmf(lost), float(everyone), names)

    def _reached(self, volleys: Iterable[Volley]) -> set[int]:
        """The models to which some of the attacks can be allocated."""
        every = set(range(len(self.begin)))
        found = set[int]()
        for volley in volleys:
            among = volley.reached(self.target)
            found |= every if among is None else {self._row[name] for name in among}
        return found


def _fired(
    chain: Chain[State],
    which: int,
    weapons: int,
    groups: Sequence[tuple[Attack | None, Weights]],
    waiting: dict[tuple[int, ...], Weights],
) -> dict[tuple[int, ...], Weights]:
    """Each number of mortal blows that wait after a volley, with the chances of the states then."""
    after: dict[tuple[int, ...], Weights] = {}
    for counts, weights in waiting.items():
        for attack, states in groups:
            part = weights * states
            if not part.any():
                continue
            if attack is None:
                _add(after, counts, part)
                continue
            blows = attack.blows(weapons)
            ends = blows.T @ chain.powers(part, which, blows.shape[0] - 1)
            for mortal, weight in enumerate(ends):
                _add(after, (*counts[:-1], counts[-1] + mortal) if counts else counts, weight)
    return after


EXPLODES = (SIDES + 1 - losses.DEMISE_ON) / SIDES


def _struck(chain: Chain[State], which: int, waiting: dict[tuple[int, ...], Weights]) -> dict[tuple[int, ...], Weights]:
    """The first of the mortal blows that wait have been dealt."""
    by_rest: dict[tuple[int, ...], dict[int, Weights]] = {}
    for (count, *rest), weights in waiting.items():
        by_rest.setdefault(tuple(rest), {})[count] = weights
    after: dict[tuple[int, ...], Weights] = {}
    for others, by_count in by_rest.items():
        total = np.zeros(len(chain.states))
        for count in range(max(by_count), -1, -1):
            total = total @ chain.matrices[which] + by_count.get(count, 0.0)
        after[others] = total
    return after


def _add(into: dict[tuple[int, ...], Weights], key: tuple[int, ...], weights: Weights) -> None:
    into[key] = into[key] + weights if key in into else weights


def _pmf(weights: Weights) -> Pmf:
    return Pmf(0, weights / weights.sum())
