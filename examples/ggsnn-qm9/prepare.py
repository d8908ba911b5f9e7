"""Turns molecules (SMILES, or the graphs of QM9) into the network's instances, one JSON object a line. See README.md."""

import argparse
import json
import random
import re
import statistics
from pathlib import Path

ATOMS = "CNOFH"
VALENCE = {"C": 4, "N": 3, "O": 2, "F": 1, "H": 1}
BOND = {"-": 1, "=": 2, "#": 3, ":": 4, "/": 1, "\\": 1}
AROMATIC = 4
TOKEN = re.compile(r"\[(?P<exact>[CNOFHcno])@*(?P<hydrogens>H\d?)?[-+]*\d?\]|(?P<plain>[CNOFcno])|(?P<bond>[-=#:/\\])|(?P<ring>\d|%\d\d)|(?P<fork>[()])")


def order(bond):
    """How much of a valence a bond takes."""
    return 1.5 if bond == AROMATIC else bond


def parse_smiles(smiles):
    """(atoms, edges) as QM9's graphs have them: an edge is [atom, bond, atom], and the hydrogens come last."""
    symbols, wanted, edges, forks, rings = [], [], [], [], {}
    at, bond, place = None, None, 0

    def connect(other):
        aromatic = symbols[at].islower() and symbols[other].islower()
        edges.append([at, bond or (AROMATIC if aromatic else 1), other])

    while place < len(smiles):
        token = TOKEN.match(smiles, place)
        if token is None:
            raise ValueError(f"{smiles}: cannot read {smiles[place:]!r}")
        place = token.end()
        if token["fork"] == "(":
            forks.append(at)
        elif token["fork"] == ")":
            at = forks.pop()
        elif token["bond"]:
            bond = BOND[token["bond"]]
        elif token["ring"]:
            if token["ring"] in rings:
                other, opened = rings.pop(token["ring"])
                bond = bond or opened
                connect(other)
            else:
                rings[token["ring"]] = (at, bond)
            bond = None
        else:
            symbols.append(token["exact"] or token["plain"])
            hydrogens = token["hydrogens"] or ""
            wanted.append(None if token["plain"] else int(hydrogens[1:] or bool(hydrogens)))
            if at is not None:
                connect(len(symbols) - 1)
            at, bond = len(symbols) - 1, None

    atoms = [symbol.upper() for symbol in symbols]
    for number, hydrogens in enumerate(wanted):
        if hydrogens is None:
            taken = int(sum(order(kind) for a, kind, b in edges if number in (a, b)))
            hydrogens = max(VALENCE[atoms[number]] - taken, 0)
        for _ in range(hydrogens):
            edges.append([number, 1, len(atoms)])
            atoms.append("H")
    return atoms, edges


def instance(atoms, edges):
    """The fields: each bond of type b in both directions, as type b - 1 and the other way as b + 3."""
    arcs = [(a, bond - 1, b) for a, bond, b in edges] + [(b, bond + 3, a) for a, bond, b in edges]
    return {"atom": [ATOMS.index(atom) for atom in atoms], "src": [arc[0] for arc in arcs], "type": [arc[1] for arc in arcs], "dst": [arc[2] for arc in arcs]}


def renumbered(given, generator):
    """The same molecule with its atoms, and its edges, in another order."""
    atoms, edges = list(range(len(given["atom"]))), list(range(len(given["src"])))
    generator.shuffle(atoms)
    generator.shuffle(edges)
    place = {atom: number for number, atom in enumerate(atoms)}
    moved = {"atom": [given["atom"][atom] for atom in atoms], "src": [place[given["src"][edge]] for edge in edges],
             "type": [given["type"][edge] for edge in edges], "dst": [place[given["dst"][edge]] for edge in edges]}
    return {**given, **moved}


def from_smiles(lines):
    """Instances of lines `SMILES name`; a line that begins with # is a comment."""
    for line in lines:
        if line.strip() and not line.startswith("#"):
            smiles, name = line.strip().split(maxsplit=1)
            yield {**instance(*parse_smiles(smiles)), "name": name}


def from_graphs(lines, standard):
    """Instances of QM9's graphs; y is the dipole moment less its mean, over its deviation, both of the graphs of `standard`."""
    moments = [json.loads(line)["mu"] for line in standard]
    mean, deviation = statistics.fmean(moments), statistics.pstdev(moments)
    for graph in map(json.loads, lines):
        yield {**instance(graph["atoms"], graph["edges"]), "y": (graph["mu"] - mean) / deviation}


def main():
    """Reads the options and writes the instances."""
    options = argparse.ArgumentParser(description=__doc__)
    source = options.add_mutually_exclusive_group(required=True)
    source.add_argument("--smiles", type=Path, help="lines of SMILES and name, atoms C N O F H")
    source.add_argument("--graphs", type=Path, help="JSON Lines with atoms, edges and mu")
    options.add_argument("--output", type=Path, required=True, help="JSON Lines")
    options.add_argument("--twice", action="store_true", help="behind each molecule, write it once more with its atoms in another order")
    options.add_argument("--standard", type=Path, help="graphs whose mean and deviation of mu are taken (default: those of --graphs)")
    options.add_argument("--shuffle", action="store_true", help="write them in another order")
    options.add_argument("--limit", type=int, help="write at most so many molecules")
    chosen = options.parse_args()

    lines = (chosen.smiles or chosen.graphs).read_text(encoding="utf-8").splitlines()
    standard = chosen.standard.read_text(encoding="utf-8").splitlines() if chosen.standard else lines
    instances = list(from_smiles(lines) if chosen.smiles else from_graphs(lines, standard))
    generator = random.Random(1)
    if chosen.shuffle:
        generator.shuffle(instances)
    with open(chosen.output, "w", encoding="utf-8") as out:
        for each in instances[:chosen.limit]:
            for molecule in [each, renumbered(each, generator)] if chosen.twice else [each]:
                out.write(json.dumps(molecule, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
