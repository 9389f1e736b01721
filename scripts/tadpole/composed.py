"""Kinds put together from parts: what is gone through, which of it counts, what becomes of each, what is made
of all. The doc line names the parts, so that code can be held against what it says; there are more kinds
than anyone could learn by heart. `composed.py [COUNT [SHOWN]]` checks them and prints some.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field
from typing import Any

from kinds import Kind, arguments_of, call, defined, faults_of, instantiate, load

SEED, COUNT = 41, 4000
# These are said of the things themselves and not of what becomes of them.
OF_THINGS = ("Return the number of", "Count {}", "Return how many", "Tell whether there are", "Return the share")


@dataclass(frozen=True)
class Part:
    """`doc` has a gap `{}` for what it is said of; `no` is the contrary of a condition; `uses` is a parameter."""

    name: str
    doc: str
    code: str
    no: str = ""
    uses: str = ""


@dataclass(frozen=True)
class Source:
    """`head` is the loop over it, `item` its usual value if it has one that can be added up or put together,
    `noun` its name in a doc line, `makes` its arguments, `uses` those of the parts' parameters."""

    parameters: list[str]
    head: str
    item: str
    noun: str
    makes: list[str]
    filters: list[Part]
    maps: list[Part]
    # Whether what comes of it, changed or not, is text.
    texts: bool = False
    uses: dict[str, str] = field(default_factory=lambda: {"$n": "I(1,9)"})


def compared(value: str, said: str, name: str = "") -> list[Part]:
    """Conditions that compare `value` with a parameter or a constant."""
    rows = [
        (">", "<=", "above", "above"), ("<", ">=", "below", "below"), (">=", "<", "at_least", "of at least"),
        ("<=", ">", "at_most", "of at most"), ("==", "!=", "equal_to", "equal to"), ("!=", "==", "other_than", "other than"),
    ]
    made = []
    for sign, contrary, short, words in rows:
        for limit, uses in [("$n", "$n"), ("LIMIT", "")]:
            made.append(Part(f"{name}{short}", said.format(f"{words} {limit}"), f"{value} {sign} {limit}", f"{value} {contrary} {limit}", uses))
    return made


NUMBERS = [
    *compared("$x", "{{}} {}"),
    Part("even", "even {}", "$x % 2 == 0", "$x % 2 != 0"),
    Part("odd", "odd {}", "$x % 2 == 1", "$x % 2 != 1"),
    Part("positive", "positive {}", "$x > 0", "$x <= 0"),
    Part("negative", "negative {}", "$x < 0", "$x >= 0"),
    Part("nonzero", "{} that are not 0", "$x != 0", "$x == 0"),
    Part("multiples", "{} that are multiples of LIMIT", "$x % LIMIT == 0", "$x % LIMIT != 0"),
    Part("divisible", "{} divisible by $n", "$x % $n == 0", "$x % $n != 0", "$n"),
    Part("far", "{} whose absolute value is above $n", "abs($x) > $n", "abs($x) <= $n", "$n"),
]
OF_NUMBERS = [
    Part("squares", "the squares of {}", "$x * $x"),
    Part("squared", "{} squared", "$x ** 2"),
    Part("cubes", "the cubes of {}", "$x ** 3"),
    Part("doubled", "{} doubled", "$x * 2"),
    Part("tripled", "{} times 3", "3 * $x"),
    Part("halves", "the halves of {} rounded down", "$x // 2"),
    Part("shifted", "{}, each plus $n", "$x + $n", "", "$n"),
    Part("lowered", "{}, each minus $n", "$x - $n", "", "$n"),
    Part("scaled", "{}, each times $n", "$x * $n", "", "$n"),
    Part("parts", "{}, each divided by $n and rounded down", "$x // $n", "", "$n"),
    Part("rests", "the remainders of {} by LIMIT", "$x % LIMIT"),
    Part("raised", "{}, each plus LIMIT", "$x + LIMIT"),
    Part("reduced", "{}, each minus LIMIT", "$x - LIMIT"),
    Part("sizes", "the absolute values of {}", "abs($x)"),
    Part("negated", "{} with the other sign", "-$x"),
    Part("capped", "{}, each at most LIMIT", "min($x, LIMIT)"),
    Part("floored", "{}, each at least LIMIT", "max($x, LIMIT)"),
    Part("distances", "the distances of {} from $n", "abs($x - $n)", "", "$n"),
    Part("missing", "what {} lack to LIMIT", "LIMIT - $x"),
    Part("digits", "the last digits of {}", "abs($x) % 10"),
]
WORDS = [
    *compared("len($x)", "{{}} with a length {}", "long_"),
    Part("starting", "{} that start with $c", "$x.startswith($c)", "not $x.startswith($c)", "$c"),
    Part("ending", "{} that end with $c", "$x.endswith($c)", "not $x.endswith($c)", "$c"),
    Part("containing", "{} that contain $c", "$c in $x", "$c not in $x", "$c"),
    Part("without", "{} without $c", "$c not in $x", "$c in $x", "$c"),
    Part("filled", "{} that are not empty", "$x", "not $x"),
    Part("filled", "{} that are not blank", "$x.strip()", "not $x.strip()"),
    Part("upper", "{} in upper case", "$x.isupper()", "not $x.isupper()"),
    Part("lower", "{} in lower case", "$x.islower()", "not $x.islower()"),
    Part("same_ends", "{} that begin and end alike", "$x[:1] == $x[-1:]", "$x[:1] != $x[-1:]"),
    Part("twice", "{} with $c at least twice", "$x.count($c) >= 2", "$x.count($c) < 2", "$c"),
]
OF_WORDS = [
    Part("uppercased", "{} in capitals", "$x.upper()"),
    Part("lowercased", "{} in small letters", "$x.lower()"),
    Part("titles", "{} as titles", "$x.title()"),
    Part("stripped", "{} without spaces around", "$x.strip()"),
    Part("initials", "the first letters of {}", "$x[:1]"),
    Part("endings", "the last letters of {}", "$x[-1:]"),
    Part("heads", "the first LIMIT letters of {}", "$x[:LIMIT]"),
    Part("tails", "{} without their first letter", "$x[1:]"),
    Part("cut", "{} without their last letter", "$x[:-1]"),
    Part("reversed", "{} turned around", "$x[::-1]"),
    Part("marked", "{} with $c in front", "$c + $x", "", "$c"),
    Part("ended", "{} with $c behind", "$x + $c", "", "$c"),
    Part("replaced", "{} with dashes for $c", '$x.replace($c, "-")', "", "$c"),
]
LENGTHS = [
    Part("lengths", "the lengths of {}", "len($x)"),
    Part("counts", "how often $c is in {}", "$x.count($c)", "", "$c"),
    Part("places", "where $c first is in {}, -1 if nowhere", "$x.find($c)", "", "$c"),
]
LETTERS = [
    Part("letters", "letters of {}", "$x.isalpha()", "not $x.isalpha()"),
    Part("digits", "digits of {}", "$x.isdigit()", "not $x.isdigit()"),
    Part("capitals", "capitals of {}", "$x.isupper()", "not $x.isupper()"),
    Part("vowels", "vowels of {}", '$x.lower() in "aeiou"', '$x.lower() not in "aeiou"'),
    Part("consonants", "letters of {} that are no vowels", '$x.isalpha() and $x not in "aeiou"', 'not $x.isalpha() or $x in "aeiou"'),
    Part("visible", "characters of {} that are no spaces", '$x != " "', '$x == " "'),
    Part("equal", "characters of {} equal to $c", "$x == $c", "$x != $c", "$c"),
    Part("others", "characters of {} other than $c", "$x != $c", "$x == $c", "$c"),
    Part("after", "characters of {} after $c in the alphabet", "$x > $c", "$x <= $c", "$c"),
    Part("before", "characters of {} before $c in the alphabet", "$x < $c", "$x >= $c", "$c"),
]
ENTRIES = [
    *compared("$v", "{{}} with a value {}"),
    Part("even", "{} with an even value", "$v % 2 == 0", "$v % 2 != 0"),
    Part("odd", "{} with an odd value", "$v % 2 == 1", "$v % 2 != 1"),
    Part("known", "{} whose key is in $ys", "$k in $ys", "$k not in $ys", "$ys"),
    Part("unknown", "{} whose key is not in $ys", "$k not in $ys", "$k in $ys", "$ys"),
    Part("starting", "{} whose key starts with $c", "$k.startswith($c)", "not $k.startswith($c)", "$c"),
]
OF_ENTRIES = [
    Part("values", "the values of {}", "$v"),
    Part("doubled", "twice the values of {}", "$v * 2"),
    Part("scaled", "the values of {} times $n", "$v * $n", "", "$n"),
    Part("missing", "what the values of {} lack to LIMIT", "LIMIT - $v"),
    Part("rests", "the values of {} minus $n", "$v - $n", "", "$n"),
    Part("key_lengths", "the lengths of the keys of {}", "len($k)"),
]
PAIRED = [
    Part("rising", "{} where the first is smaller", "$a < $b", "$a >= $b"),
    Part("falling", "{} where the first is greater", "$a > $b", "$a <= $b"),
    Part("equal", "{} that are equal", "$a == $b", "$a != $b"),
    Part("different", "{} that differ", "$a != $b", "$a == $b"),
    Part("not_falling", "{} where the first is not greater", "$a <= $b", "$a > $b"),
    Part("close", "{} at most $n apart", "abs($a - $b) <= $n", "abs($a - $b) > $n", "$n"),
    Part("apart", "{} more than $n apart", "abs($a - $b) > $n", "abs($a - $b) <= $n", "$n"),
    Part("both_above", "{} that are both above $n", "$a > $n and $b > $n", "$a <= $n or $b <= $n", "$n"),
    Part("one_above", "{} of which one is above $n", "$a > $n or $b > $n", "$a <= $n and $b <= $n", "$n"),
]
OF_PAIRED = [
    Part("sums", "the sums of {}", "$a + $b"),
    Part("products", "the products of {}", "$a * $b"),
    Part("differences", "the differences of {}, first minus second", "$a - $b"),
    Part("growth", "the differences of {}, second minus first", "$b - $a"),
    Part("gaps", "the distances between {}", "abs($a - $b)"),
    Part("greater", "the greater of {}", "max($a, $b)"),
    Part("smaller", "the smaller of {}", "min($a, $b)"),
    Part("weighted", "{}, the first plus LIMIT times the second", "$a + LIMIT * $b"),
    Part("means", "the means of {}", "($a + $b) / 2"),
]
ROWS = [
    *compared("len($x)", "{{}} with a length {}", "long_"),
    *compared("sum($x)", "{{}} with a sum {}", "sum_"),
    Part("filled", "{} that are not empty", "$x", "not $x"),
    Part("holding", "{} that hold $n", "$n in $x", "$n not in $x", "$n"),
]
OF_ROWS = [
    Part("sums", "the sums of {}", "sum($x)"),
    Part("sizes", "the lengths of {}", "len($x)"),
    Part("peaks", "the greatest of each of {}, 0 if empty", "max($x, default=0)"),
    Part("lowest", "the smallest of each of {}, 0 if empty", "min($x, default=0)"),
    Part("counts", "how often $n is in each of {}", "$x.count($n)", "", "$n"),
]

SOURCES = [
    Source(["$xs"], "for $x in $xs", "$x", "$xs", ["LS(1,7)"], NUMBERS, OF_NUMBERS),
    Source(["$xs"], "for $x in $xs", "$x", "$xs", ["LL(0,7)"], NUMBERS, OF_NUMBERS),
    Source(["$n"], "for $x in range(1, $n + 1)", "$x", "numbers from 1 to $n", ["I(2,14)"], NUMBERS, OF_NUMBERS, uses={}),
    Source(["$lo", "$hi"], "for $x in range($lo, $hi)", "$x", "numbers from $lo up to $hi, without $hi", ["I(-3,4)", "I(3,14)"], NUMBERS, OF_NUMBERS, uses={"$n": "I(1,9)"}),
    Source(["$d"], "for $x in $d.values()", "$x", "values of $d", ["DICT()"], NUMBERS, OF_NUMBERS),
    Source(["$xs"], "for $x in $xs", "$x", "$xs", ["NAMES()"], WORDS, [*OF_WORDS, *OF_WORDS, *LENGTHS], True, {"$n": "I(2,6)", "$c": 'R.choice("aeort")'}),
    Source(["$s"], "for $x in $s.split()", "$x", "words of $s", ["S2()"], WORDS, [*OF_WORDS, *LENGTHS], True, {"$n": "I(2,6)", "$c": 'R.choice("aeort")'}),
    Source(["$s"], "for $x in $s", "$x", "$s", ["S2()"], LETTERS, OF_WORDS[:2], True, {"$c": 'R.choice("aeort")'}),
    Source(["$d"], "for $k, $v in $d.items()", "$k", "entries of $d", ["DICT()"], ENTRIES, OF_ENTRIES, True, {"$n": "I(1,9)", "$c": 'R.choice("abc")', "$ys": 'R.choice(["abc", "bdf", "ceg"])'}),
    Source(["$xs", "$ys"], "for $a, $b in zip($xs, $ys)", "", "pairs of $xs and $ys", ["LL(1,6)", "LL(1,6)"], PAIRED, OF_PAIRED),
    Source(["$xs"], "for $a, $b in zip($xs, $xs[1:])", "", "neighbours in $xs", ["LL(2,7)"], PAIRED, OF_PAIRED),
    Source(["$xs"], "for $x in $xs", "", "rows of $xs", ["LOL()"], ROWS, OF_ROWS),
]


# Names, docs, bodies without their first line.
Aggregate = tuple[str, list[str], list[list[str]]]


def aggregates(loop: str, test: str, contrary: str, value: str, number: bool, unchanged: bool) -> list[Aggregate]:
    """Everything that can be made of all values; `unchanged` = they are the things that are gone through."""
    kept = f"if {test}" if test else ""
    each = f"{value} {loop} {kept}".rstrip()

    def collected(start: str, update: list[str], end: list[str]) -> list[list[str]]:
        """The loop with the condition around what it does, and with the contrary before it."""
        deep = [f"        {line}" for line in update]
        if not kept:
            return [[f"    {start}", f"    {loop}:", *deep, *end]]
        return [
            [f"    {start}", f"    {loop}:", f"        {kept}:", *(f"    {line}" for line in deep), *end],
            [f"    {start}", f"    {loop}:", f"        if {contrary}:", "            continue", *deep, *end],
        ]

    def listed(*end: str) -> list[list[str]]:
        return collected("$out = []", [f"$out.append({value})"], list(end))

    def searched(found: str, otherwise: str) -> list[str]:
        return [f"    {loop}:", f"        {kept}:", f"            return {found}", f"    return {otherwise}"]

    made = [
        (
            "list collect all",
            ["Return a list of {}.", "List {}."],
            [[f"    return [{each}]"], *listed("    return $out")],
        ),
        (
            "set distinct unique",
            ["Return the set of {}."],
            [[f"    return {{{each}}}"], *collected("$out = set()", [f"$out.add({value})"], ["    return $out"])],
        ),
        (
            "variety different distinct",
            ["Count how many different results there are among {}.", "Return the number of distinct values among {}."],
            [[f"    return len({{{each}}})"], *collected("seen = set()", [f"seen.add({value})"], ["    return len(seen)"])],
        ),
        (
            "sorted ordered",
            ["Return {} in ascending order.", "Return a sorted list of {}."],
            [[f"    return sorted({each})"], *listed("    return sorted($out)")],
        ),
        (
            "descending",
            ["Return {} in descending order."],
            [[f"    return sorted(({each}), reverse=True)"], *listed("    $out.sort(reverse=True)", "    return $out")],
        ),
        (
            "backwards",
            ["Return a list of {}, last first."],
            [[f"    $out = [{each}]", "    return $out[::-1]"], *collected("$out = []", [f"$out.insert(0, {value})"], ["    return $out"])],
        ),
        (
            "greatest highest",
            ["Return the greatest of {}, or None.", "Return the largest of {} (None if there are none)."],
            [[f"    return max(({each}), default=None)"], *collected("$best = None", [f"if $best is None or {value} > $best:", f"    $best = {value}"], ["    return $best"])],
        ),
        (
            "smallest lowest",
            ["Return the smallest of {}, or None.", "Return the least of {} (None if there are none)."],
            [[f"    return min(({each}), default=None)"], *collected("$best = None", [f"if $best is None or {value} < $best:", f"    $best = {value}"], ["    return $best"])],
        ),
        (
            "last final",
            ["Return the last of {}, or None."],
            [[f"    $out = [{each}]", "    return $out[-1] if $out else None"], *collected("$out = None", [f"$out = {value}"], ["    return $out"])],
        ),
        (
            "top best",
            ["Return the LIMIT greatest of {}, greatest first."],
            [[f"    return sorted(({each}), reverse=True)[:LIMIT]"], *listed("    $out.sort(reverse=True)", "    return $out[:LIMIT]")],
        ),
        (
            "leading head",
            ["Return the first LIMIT of {}."],
            [[f"    return [{each}][:LIMIT]"], *collected("$out = []", ["if len($out) < LIMIT:", f"    $out.append({value})"], ["    return $out"])],
        ),
        (
            "frequency tally",
            ["Count how often each result occurs among {}."],
            collected("$d = {}", [f"$d[{value}] = $d.get({value}, 0) + 1"], ["    return $d"]),
        ),
    ]
    if kept:
        if unchanged:
            counted = [[f"    return sum(1 {loop} {kept})"], *collected("$tot = 0", ["$tot += 1"], ["    return $tot"])]
            made += [
                ("count number_of how_many", ["Return the number of {}.", "Count {}."], counted),
                ("count number_of how_many", ["Return how many {} there are."], counted),
                (
                    "any has exists",
                    ["Tell whether there are any {}.", "Tell whether there are {} at all."],
                    [[f"    return any({test} {loop})"], searched("True", "False")],
                ),
                (
                    "no none lacks",
                    ["Tell whether there are no {}."],
                    [[f"    return not any({test} {loop})"], searched("False", "True")],
                ),
                (
                    "share part",
                    ["Return the share of {} among all, 0 if there is nothing."],
                    [["    $tot = 0", "    all_of_them = 0", f"    {loop}:", "        all_of_them += 1", f"        {kept}:", "            $tot += 1", "    return $tot / all_of_them if all_of_them else 0"]],
                ),
            ]
        found = [[f"    return next(({each}), None)"], searched(value, "None")]
        made.append(("first earliest", ["Return the first of {}, or None."], found))
    if number:
        made += [
            (
                "sum total add",
                ["Return the sum of {}.", "Add up {}."],
                [[f"    return sum({each})"], *collected("$tot = 0", [f"$tot += {value}"], ["    return $tot"])],
            ),
            (
                "sum total add",
                ["Return the total of {}."],
                [[f"    return sum([{each}])"], *collected("$tot = 0", [f"$tot = $tot + {value}"], ["    return $tot"])],
            ),
            (
                "product multiply",
                ["Return the product of {}.", "Multiply {} with each other."],
                collected("$tot = 1", [f"$tot *= {value}"], ["    return $tot"]),
            ),
            (
                "average mean",
                ["Return the average of {}, 0 if there are none."],
                [[f"    $out = [{each}]", "    if not $out:", "        return 0", "    return sum($out) / len($out)"], *collected("$tot = $i = 0", [f"$tot += {value}", "$i += 1"], ["    return $tot / $i if $i else 0"])],
            ),
            (
                "range spread",
                ["Return the greatest minus the smallest of {}, 0 if there are none."],
                [[f"    $out = [{each}]", "    return max($out) - min($out) if $out else 0"], *listed("    if not $out:", "        return 0", "    return max($out) - min($out)")],
            ),
            (
                "running cumulative",
                ["Return the running sums of {}."],
                collected("$out, $tot = [], 0", [f"$tot += {value}", "$out.append($tot)"], ["    return $out"]),
            ),
            (
                "excess over",
                ["Return by how much the sum of {} is above LIMIT, 0 if it is not."],
                [[f"    return max(0, sum({each}) - LIMIT)"], *collected("$tot = -LIMIT", [f"$tot += {value}"], ["    return max(0, $tot)"])],
            ),
            (
                "enough reaches",
                ["Tell whether the sum of {} is at least LIMIT."],
                [[f"    return sum({each}) >= LIMIT"], *collected("$tot = 0", [f"$tot += {value}"], ["    return $tot >= LIMIT"])],
            ),
        ]
    else:
        made += [
            (
                "joined join",
                ["Join {} with commas."],
                [[f'    return ",".join({each})'], *listed('    return ",".join($out)')],
            ),
            (
                "text combine",
                ["Return one text of {}, put together.", "Put {} together."],
                [[f'    return "".join({each})'], *collected('$out = ""', [f"$out += {value}"], ["    return $out"])],
            ),
            (
                "lines",
                ["Return {}, one a line."],
                [[f'    return "\\n".join({each})'], *listed('    return "\\n".join($out)')],
            ),
            (
                "longest",
                ["Return the longest of {}, the first of them, or an empty text."],
                [[f'    return max(({each}), key=len, default="")'], *collected('$best = ""', [f"if len({value}) > len($best):", f"    $best = {value}"], ["    return $best"])],
            ),
            (
                "by_length",
                ["Return {}, shortest first."],
                [[f"    return sorted(({each}), key=len)"], *listed("    return sorted($out, key=len)")],
            ),
        ]
    return made


def compose(rng: random.Random) -> Kind | None:
    """One kind by chance; None where its parts do not fit."""
    source = rng.choice(SOURCES)
    test = rng.choice(source.filters) if rng.random() < 0.8 else None
    change = rng.choice(source.maps) if rng.random() < 0.6 else None
    if test is None and change is None:
        return None
    parts = [part for part in (test, change) if part is not None]
    extra = list(dict.fromkeys(part.uses for part in parts if part.uses))
    if any(name not in source.uses or name in source.parameters for name in extra):
        return None
    number = not source.texts or change in LENGTHS or change in OF_ENTRIES
    noun = test.doc.format(source.noun) if test else source.noun
    said = change.doc.format(f"the {noun}") if change else f"the {noun}"
    value = change.code if change else source.item
    kept, contrary = (test.code, test.no) if test else ("", "")
    names, docs, bodies = rng.choice(aggregates(source.head, kept, contrary, value, number, change is None))
    if not value and not docs[0].startswith(OF_THINGS):
        return None
    limit = str(rng.choice([2, 3, 4, 5, 6, 7, 8, 10, 12]))
    # What goes through a mapping has names of its own only here.
    fill = lambda text: text.replace("LIMIT", limit).replace("$v", "$x")
    ends = [part.name for part in (change, test) if part is not None]
    own_names = [f"{name}_{'_'.join(ends if rng.random() < 0.5 else ends[::-1])}" for name in names.split()]
    head = f"def $f({', '.join([*source.parameters, *extra])}):"
    texts = [fill(doc.format(noun if doc.startswith(OF_THINGS) else said)) for doc in docs]
    arguments = ", ".join([*source.makes, *(source.uses[name] for name in extra)])
    return Kind(own_names, False, texts, f"({arguments},)", [[head, *map(fill, body)] for body in bodies])


@dataclass(frozen=True)
class Behaviour:
    """What a kind gives for arguments of its own, and how many it takes."""

    arity: int
    results: list[tuple[tuple[Any, ...], tuple[str, str]]]


def behaviour_of(kind: Kind) -> Behaviour:
    own = defined(instantiate(random.Random(3), kind, 0))
    arguments = arguments_of(random.Random(5), kind, 24)
    return Behaviour(own.__code__.co_argcount, [(each, call(own, each)) for each in arguments])


def does_the_same(kind: Kind, others: list[Behaviour]) -> bool:
    """Does the same as one of `others`, as far as its arguments show."""
    own = defined(instantiate(random.Random(3), kind, 0))
    alike = (other for other in others if other.arity == own.__code__.co_argcount)
    return any(all(call(own, arguments) == result for arguments, result in other.results) for other in alike)


def composed(count: int = COUNT) -> list[Kind]:
    """`count` different kinds, always the same; none does what a held-out kind does."""
    return _composed(count)[0]


def _composed(count: int) -> tuple[list[Kind], list[Kind]]:
    """The kinds, and those that were left out because a held-out kind does the same."""
    rng = random.Random(SEED)
    held_out = [behaviour_of(kind) for kind in load() if kind.held_out]
    found: dict[str, Kind] = {}
    left_out: dict[str, Kind] = {}
    while len(found) < count:
        kind = compose(rng)
        if kind is None or max(len(line) for body in kind.bodies for line in body) > 90:
            continue
        key = "\n".join(kind.bodies[0])
        if key not in found and key not in left_out:
            (left_out if does_the_same(kind, held_out) else found)[key] = kind
    return list(found.values()), list(left_out.values())


def main() -> int:
    count, shown = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT, int(sys.argv[2]) if len(sys.argv) > 2 else 0
    kinds, left_out = _composed(count)
    faults = [fault for kind in kinds for fault in faults_of(kind)]
    print("\n".join(faults[:20]) or "sound")
    bodies = sum(len(kind.bodies) for kind in kinds)
    print(f"{len(kinds)} kinds put together, {bodies} bodies; {len(left_out)} left out, a held-out kind does the same")
    rng = random.Random(9)
    for kind in rng.sample(kinds, shown):
        print("\n".join(instantiate(rng, kind).lines) + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
