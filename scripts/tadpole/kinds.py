"""Function kinds: reading `kinds/*.txt`, giving names and arguments, and checking that they are sound.

A kind is
    @ name other_name ...          names that the function may have
    # doc / other doc              what it does; one is chosen
    % (I(0,9), W())                expression that makes one tuple of arguments, see `makers`
    def $f($xs): ...               a body; `$xs` gets a name from POOL, other words stay
    ---                            between two bodies of the same kind
The kinds of `held-out.names` are never trained on: 40 that were drawn by chance
from those that the demonstration and the first model do not need. Run as a program, this file checks
every kind: all bodies give the same results, and no held-out kind has all its lines in the training text.
"""

from __future__ import annotations

import copy
import random
import re
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

FOLDER = Path(__file__).parent / "kinds"
HELD_OUT = set((FOLDER / "held-out.names").read_text().split())

POOL: dict[str, list[str]] = {
    "xs": "values items numbers data xs nums arr seq entries scores prices elements rows readings samples points amounts levels".split(),
    "ys": "others right_items extra second ys allowed known targets".split(),
    "x": "x item value v el num entry current it elem each cur".split(),
    "y": "target wanted needle goal key_item query".split(),
    "s": "text s word string phrase line name label message raw title source".split(),
    "c": "ch c char letter symbol".split(),
    "n": "n count size limit k amount num width steps".split(),
    "i": "i idx index pos j".split(),
    "out": "result out res found output collected picked built answer".split(),
    "tot": "total acc running subtotal counter so_far summed".split(),
    "d": "mapping table counts lookup stats record info".split(),
    "k": "key k field label_key attr".split(),
    "best": "best top current_best leader chosen".split(),
}
PAIRS: dict[tuple[str, str], list[tuple[str, str]]] = {
    ("lo", "hi"): [("low", "high"), ("lo", "hi"), ("lower", "upper"), ("minimum", "maximum"), ("floor", "ceiling")],
    ("a", "b"): [("a", "b"), ("left", "right"), ("first", "second"), ("base", "other"), ("one", "two")],
    ("p", "q"): [("p", "q"), ("start", "end"), ("u", "z"), ("part", "piece")],
}
WORDS = "apple river stone cloud green light house tiger lemon paper music ocean bread chair dog cat sun ant tree blue fox egg ice level noon radar kayak hello world data code bird".split()
PREFIXES = "order user row cell page team sales node task unit block event log cart game".split()


@dataclass
class Kind:
    names: list[str]
    held_out: bool
    docs: list[str] = field(default_factory=list)
    arguments: str = "()"
    bodies: list[list[str]] = field(default_factory=lambda: [[]])

    @property
    def id(self) -> str:
        return self.names[0]


@dataclass
class Function:
    """A kind with names: what stands in a file."""

    kind: Kind
    name: str
    lines: list[str]
    doc: str | None


def load(folder: Path = FOLDER) -> list[Kind]:
    kinds: list[Kind] = []
    for file in sorted(folder.glob("*.txt")):
        kinds += _read(file)
    return kinds


def _read(file: Path) -> list[Kind]:
    kinds: list[Kind] = []
    for line in file.read_text().split("\n"):
        if line.startswith("@ "):
            names = line[2:].split()
            kinds.append(Kind(names, names[0] in HELD_OUT))
        elif line.startswith("# "):
            kinds[-1].docs = [doc.strip() for doc in line[2:].split(" / ")]
        elif line.startswith("% "):
            kinds[-1].arguments = line[2:]
        elif line == "---":
            kinds[-1].bodies.append([])
        elif line.strip():
            kinds[-1].bodies[-1].append(line)
    return kinds


def makers(rng: random.Random) -> dict[str, Any]:
    """What the argument expressions of kinds may call."""
    word = lambda: rng.choice(WORDS)
    whole = rng.randint

    def some(low: int, high: int) -> list[int]:
        return [whole(0, 12) for _ in range(whole(low, high))]

    def words(low: int = 1, high: int = 5) -> str:
        return " ".join(word() for _ in range(whole(low, high)))

    def ordered() -> list[int]:
        values = some(2, 5)
        return values if rng.random() < 0.4 else sorted(values)

    def with_item() -> tuple[list[int], int]:
        values = some(2, 6)
        return values, rng.choice(values) if rng.random() < 0.75 else 99

    def repeated() -> tuple[list[Any]]:
        if rng.random() < 0.5:
            return ([whole(1, 4) for _ in range(whole(3, 7))],)
        return ([rng.choice("abc") for _ in range(whole(3, 6))],)

    def matrix() -> list[list[int]]:
        columns = whole(1, 3)
        return [[whole(0, 9) for _ in range(columns)] for _ in range(whole(1, 3))]

    def cased() -> str:
        change = lambda: rng.choice([str.title, str.upper, str])(word())
        return " ".join(change() for _ in range(whole(1, 4))) + rng.choice(["", "", " "])

    return dict(
        R=rng, I=whole, W=word, W2=word, S=words, S2=cased, LL=some, SORT=ordered, LX=with_item, LD=repeated,
        CH=lambda *choices: rng.choice(choices),
        WS=lambda low=1, high=4: [word() for _ in range(whole(low, high))],
        L=lambda low=0, high=6: (some(low, high),),
        PAL=lambda: rng.choice(["Level", "noon", "Radar", "kayak", "apple", "hello", "Ab", "a"]),
        LN=lambda: ([whole(-5, 6) for _ in range(whole(2, 6))] + rng.choice([[], [0]]),),
        LS=lambda low=1, high=6: [whole(-9, 9) for _ in range(whole(low, high))],
        LN1=lambda: rng.choice([[1, 2, 3], [1, -2], [0, 4], [5, 0], [-1], [7], []]),
        LOL=lambda: [some(0, 3) for _ in range(whole(1, 3))],
        TIME=lambda: f"{whole(0, 23):02d}:{whole(0, 59):02d}",
        KV=lambda: rng.choice(["a=1", "name = bo", " key=x ", "k = v w"]),
        CSV=lambda: ",".join(str(whole(0, 40)) for _ in range(whole(1, 4))),
        CFG=lambda: rng.choice(["a: 1\nb: 2", "name: bo\n\nage: 7", "x : y", "url: a:b\nk: v", "nothing"]),
        FN=lambda: rng.choice(["a.txt", "photo.png", "archive.tar.gz", "README", "x.y.z"]),
        CARD=lambda: "".join(str(whole(0, 9)) for _ in range(whole(6, 12))),
        DICT=lambda: {key: whole(1, 9) for key in rng.sample("abcdefg", whole(1, 4))},
        SDICT=lambda: {key: word() for key in rng.sample("abc", 2)},
        CART=lambda: [(whole(1, 9), whole(1, 5)) for _ in range(whole(0, 3))],
        MAT=matrix,
        NAMES=lambda: [rng.choice([*WORDS, "", ""]) for _ in range(whole(1, 4))],
        PRE=lambda: rng.choice([("unhappy", "un"), ("redo", "re"), ("apple", "b"), ("test_a", "test_"), ("x", "xy"), ("aab", "a")]),
        BS=lambda: sorted(rng.sample(range(1, 12), whole(2, 7))),
        LU=lambda: rng.sample(range(1, 20), whole(2, 6)),
        LW=lambda: [whole(0, 6) for _ in range(whole(2, 7))],
    )


def instantiate(rng: random.Random, kind: Kind, body: int | None = None) -> Function:
    """One body with names chosen; a doc line in four of five."""
    lines = kind.bodies[body] if body is not None else rng.choice(kind.bodies)
    keys = sorted(set(re.findall(r"\$([a-z]+)", "\n".join(lines + kind.docs))) - {"f"})
    rng.shuffle(keys)
    names = _choose_names(rng, keys)
    names["f"] = rng.choice(kind.names)
    if rng.random() < 0.15:
        names["f"] = rng.choice(["get_", "calc_", "do_", "my_"]) + names["f"]
    fill = lambda text: re.sub(r"\$([a-z]+)", lambda found: names.get(found[1], found[1]), text)
    doc = fill(rng.choice(kind.docs)) if kind.docs and rng.random() < 0.8 else None
    filled: list[str] = []
    for line in lines:
        filled.append(fill(line))
        if doc and line.startswith("def $f("):
            filled.append(f'    """{doc}"""')
    return Function(kind, names["f"], filled, doc)


def _choose_names(rng: random.Random, keys: list[str]) -> dict[str, str]:
    names: dict[str, str] = {}
    for pair, choices in PAIRS.items():
        names.update({key: name for key, name in zip(pair, rng.choice(choices)) if key in keys})
    for key in keys:
        while key not in names:
            name = rng.choice(POOL[key])
            if key not in ("i", "c") and rng.random() < 0.2:
                name = f"{rng.choice(PREFIXES)}_{name}"
            if name not in names.values():
                names[key] = name
    return names


class TookTooLong(BaseException):
    """Not an Exception, so that no `except Exception` of the code under test swallows it."""


def call(function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float = 0.2) -> tuple[str, str]:
    """("value", repr), ("raises", name of the exception) or ("hangs", ""); arguments stay unchanged."""

    def late(*_: object) -> None:
        raise TookTooLong

    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return "value", repr(function(*copy.deepcopy(arguments)))
    except TookTooLong:
        return "hangs", ""
    except (Exception, RecursionError) as error:
        return "raises", type(error).__name__
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def arguments_of(rng: random.Random, kind: Kind, tries: int = 16) -> list[tuple[Any, ...]]:
    """Different tuples of arguments."""
    code, scope = compile(kind.arguments, kind.id, "eval"), makers(rng)
    found: list[tuple[Any, ...]] = []
    for _ in range(tries):
        arguments = eval(code, scope)
        if arguments not in found:
            found.append(arguments)
    return found


def defined(function: Function) -> Callable[..., Any]:
    """What its lines define."""
    scope: dict[str, Any] = {}
    exec(compile("\n".join(function.lines), function.kind.id, "exec"), scope)
    return scope[function.name]


def faults_of(kind: Kind) -> list[str]:
    """What is wrong with a kind: a body that fails, or two that differ."""
    rng, seen, faults = random.Random(1), {}, []
    for body in range(len(kind.bodies)):
        function = instantiate(rng, kind, body)
        try:
            own = defined(function)
            cases = arguments_of(random.Random(7), kind)
        except Exception as error:  # noqa: BLE001 - any fault of a kind is reported
            faults.append(f"{kind.id} body {body + 1}: {error!r}")
            continue
        for arguments in cases:
            result = call(own, arguments)
            if result[0] != "value":
                faults.append(f"{kind.id} body {body + 1}: {arguments!r} {result}")
            elif seen.setdefault(repr(arguments), result) != result:
                faults.append(f"{kind.id} body {body + 1}: {arguments!r} gives {result[1]}, not {seen[repr(arguments)][1]}")
    return faults[:3]


def shape_of(line: str) -> str:
    """A line without its names' choice, for the comparison of bodies."""
    return re.sub(r"\s+", " ", line.strip())


def overlap(kinds: list[Kind]) -> list[tuple[str, int, int]]:
    """For each held-out kind: (id, body lines that occur in training bodies, all body lines), `def` apart."""
    known = {shape_of(line) for kind in kinds if not kind.held_out for body in kind.bodies for line in body}
    rows = []
    for kind in (kind for kind in kinds if kind.held_out):
        lines = [shape_of(line) for body in kind.bodies for line in body if not line.startswith("def ")]
        rows.append((kind.id, sum(line in known for line in lines), len(lines)))
    return rows


def main() -> int:
    kinds = load()
    faults = [fault for kind in kinds for fault in faults_of(kind)]
    names = [kind.id for kind in kinds]
    faults += [f"{name}: two kinds have this name" for name in sorted({name for name in names if names.count(name) > 1})]
    faults += [f"{name}: held out, and there is no such kind" for name in sorted(HELD_OUT.difference(names))]
    rows = overlap(kinds)
    faults += [f"{name}: every line of this held-out kind is in the training text" for name, same, lines in rows if same == lines]
    print("\n".join(faults) or "sound")
    held = sum(kind.held_out for kind in kinds)
    print(f"{len(kinds) - held} kinds, {sum(len(kind.bodies) for kind in kinds if not kind.held_out)} bodies; {held} held out")
    print(f"held-out body lines that a training body has too: {sum(row[1] for row in rows)} of {sum(row[2] for row in rows)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
