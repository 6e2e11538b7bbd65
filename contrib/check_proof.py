#!/usr/bin/env python3
"""Derives the margins that the ledger of a Kalah proof proves, from the rules of the game.

    contrib/check_proof.py openings/6x6-standard-proof/ledger.jsonl [-v]

A ledger holds bounds of the gains of positions: the seeds that the player to move has yet
to bank minus those that the opponent has. Each bound is a theorem of its own, a leaf of
the proof. This program takes the leaves as given and nothing else: it plays the moves from
the roots itself, combines the bounds of the positions after them by minimax, and prints the
resulting bounds of each root's margin and the number of leaves that they depend on. It does
not search, does not verify the leaves, and ignores checksums, estimates and node counts. It
shares no code with the engine and needs only Python's standard library.

Rules: a move takes all seeds from one of the mover's pits and sows them one by one along the
mover's row, into the mover's store, along the opponent's row, past the opponent's store, and
round again; the emptied pit is not skipped. If the last seed lands in the mover's store, the
mover gets an extra turn. If it lands in an empty pit of the mover's, it and the seeds opposite
go to the mover's store, under the rule "standard" only if there are seeds opposite. The game
ends as soon as either row is empty; the seeds left go to the store of their row's owner.

Exit code: 0 if the margin of each root is proved exactly, 1 if only bounds follow, 2 if
the ledger cannot be read or contradicts itself.
"""

import json
import math
import sys


class LedgerError(Exception):
    """The file is not a ledger, or its bounds contradict each other."""


def parse(text, place):
    """The rows of the mover and the opponent, and the mover's lead in the stores."""
    try:
        board, side = text.split()
        pits, *numbers = [int(number) for number in board.strip("<>").split(",")]
        south, north = numbers[0], numbers[1]
        rows = tuple(numbers[2 : 2 + pits]), tuple(numbers[2 + pits :])
    except (AttributeError, IndexError, ValueError):
        raise LedgerError(f"{place}: expected a position, got {text!r}") from None
    if len(rows[1]) != pits or side not in ("S", "N"):
        raise LedgerError(f"{place}: expected a position, got {text!r}")
    return (rows, south - north) if side == "S" else (rows[::-1], north - south)


def sow(rows, pit, capture):
    """A move: (seeds won, whether the turn passes, the rows from the next mover's point of view).

    The seeds won are a difference: at the end of a game some may fall to the opponent.
    """
    own, other = list(rows[0]), list(rows[1])
    pits, seeds, won = len(own), own[pit], 0
    own[pit], place = 0, pit
    for _ in range(seeds):
        place = (place + 1) % (2 * pits + 1)
        if place < pits:
            own[place] += 1
        elif place == pits:
            won += 1
        else:
            other[place - pits - 1] += 1
    if place < pits and own[place] == 1:
        opposite = pits - 1 - place
        if other[opposite] > 0 or capture == "empty-capture":
            won += 1 + other[opposite]
            own[place] = other[opposite] = 0
    if is_over((own, other)):
        return won + sum(own) - sum(other), False, None
    passes = place != pits
    return won, passes, (tuple(other), tuple(own)) if passes else (tuple(own), tuple(other))


def bound(claim):
    """The bound of a claim, which is a pair of a bound and the number of its line."""
    return claim[0]


def is_over(rows):
    return not any(rows[0]) or not any(rows[1])


class Proof:
    """The leaves of a ledger, and what follows from them."""

    def __init__(self, lines):
        self.roots = {}
        self.capture = None
        self.leaves = {}
        self.split = set()
        self.known = {}
        for number, line in enumerate(lines, 1):
            place = f"line {number}"
            try:
                entry = json.loads(line)
                if not isinstance(entry, dict):
                    raise ValueError
            except ValueError:
                raise LedgerError(f"{place}: expected a JSON object") from None
            try:
                self.add(entry, number, place)
            except (KeyError, TypeError, ValueError) as error:
                raise LedgerError(f"{place}: missing or wrong field: {error}") from None
        if not self.roots or not self.capture:
            raise LedgerError("expected a line with the root of the proof and its capture rule")

    def add(self, entry, number, place):
        capture = entry.get("capture", self.capture)
        if capture not in ("standard", "empty-capture", None) or self.capture not in (None, capture):
            raise LedgerError(f"{place}: expected one capture rule, got {capture!r}")
        self.capture = capture
        if "root" in entry:
            self.roots[entry["root"]] = parse(entry["root"], place)
        elif "lower" in entry:
            rows = parse(entry["position"], place)[0]
            claimed = (int(entry["lower"]), number), (int(entry["upper"]), number)
            low, high = self.leaves.get(rows, claimed)
            low, high = max(low, claimed[0], key=bound), min(high, claimed[1], key=bound)
            if bound(low) > bound(high):
                raise LedgerError(f"{place}: contradicts an earlier line")
            self.leaves[rows] = low, high
        elif "estimates" in entry:
            # A split proves nothing. It only shows where the leaves are further down.
            self.split.add(parse(entry["position"], place)[0])

    def moves(self, rows):
        return (sow(rows, pit, self.capture) for pit, seeds in enumerate(rows[0]) if seeds)

    def bounds(self, rows):
        """The bounds of a position's gain that follow from the leaves."""
        if rows in self.known:
            return self.known[rows]
        if is_over(rows):
            gain = sum(rows[0]) - sum(rows[1])
            return gain, gain
        seeds = sum(map(sum, rows))
        lower, upper = map(bound, self.leaves.get(rows, ((-seeds, 0), (seeds, 0))))
        if rows in self.split:
            after = [self.after(*move) for move in self.moves(rows)]
            lower = max(lower, max(low for low, _ in after))
            upper = min(upper, max(high for _, high in after))
            if lower > upper:
                raise LedgerError(f"the bounds below {text(rows)} contradict each other")
        self.known[rows] = lower, upper
        return lower, upper

    def after(self, won, passes, rows):
        """The bounds of the gain of a move, from the point of view of the player who makes it."""
        if rows is None:
            return won, won
        lower, upper = self.bounds(rows)
        return (won - upper, won - lower) if passes else (won + lower, won + upper)

    def needed(self, rows, asked, is_lower):
        """The smallest set of leaves found that proves a gain of at least, or at most, `asked`."""
        if is_over(rows):
            return set()
        low, high = map(bound, self.leaves.get(rows, ((-math.inf, 0), (math.inf, 0))))
        if low >= asked if is_lower else high <= asked:
            return {(rows, is_lower)}
        seeds = sum(map(sum, rows))
        if asked <= -seeds if is_lower else asked >= seeds:
            return set()
        sets = []
        for won, passes, child in self.moves(rows):
            lower, upper = self.after(won, passes, child)
            if child is None:
                sets.append(set())
            elif not is_lower or lower >= asked:
                rest = won - asked if passes else asked - won
                sets.append(self.needed(child, rest, is_lower != passes))
        # One good move proves a lower bound; an upper bound needs all moves.
        return min(sets, key=len) if is_lower else set().union(*sets)


def text(rows):
    numbers = [len(rows[0]), 0, 0, *rows[0], *rows[1]]
    return f"<{','.join(map(str, numbers))}> S"


def main(arguments):
    verbose = "-v" in arguments
    files = [argument for argument in arguments if argument != "-v"]
    if len(files) != 1 or files[0].startswith("-"):
        print(f"usage: {sys.argv[0]} LEDGER [-v]    -v prints the leaves", file=sys.stderr)
        return 2
    try:
        with open(files[0], encoding="utf-8") as lines:
            proof = Proof(lines)
        bounds = [(name, *root, *proof.bounds(root[0])) for name, root in proof.roots.items()]
    except OSError as error:
        print(f"error: {files[0]}: {error.strerror}", file=sys.stderr)
        return 2
    except (LedgerError, UnicodeDecodeError) as error:
        print(f"error: {files[0]}: {error}", file=sys.stderr)
        return 2
    for position, root, lead, lower, upper in bounds:
        print(f"{position}, {proof.capture.removesuffix('-capture')} captures")
        for name, gain, is_lower in (("at least", lower, True), ("at most", upper, False)):
            leaves = proof.needed(root, gain, is_lower)
            print(f"margin {name} {gain + lead:+}: {len(leaves)} {'leaf' if len(leaves) == 1 else 'leaves'}")
            for rows, leaf_is_lower in sorted(leaves) if verbose else ():
                low, high = proof.leaves[rows]
                (claim, line), sign = (low, ">=") if leaf_is_lower else (high, "<=")
                print(f"  line {line}: gain of {text(rows)} {sign} {claim}")
    return 0 if all(lower == upper for *_, lower, upper in bounds) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
