# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""What a run has left, against design_model: a list of (what, text) of all that is wrong."""
import csv
import json
import math
import re

import numpy as np
from scipy.spatial import cKDTree

import design_results

NAMES = {"worst case": ("density_eroded", "density", "density_dilated"),
         "eroded and dilated": ("density_eroded", "density_dilated"), "eroded": ("density_eroded",)}
# Parts of texts that no user understands, and punctuation that no sentence has.
NO_WORDS = re.compile(r"basic_string|unspecified|std::|\bnan\b|\binf\b|%[sdgfu]|  |\.\.(?!\.)| [,.;:](?!\w)|\( |,,|^\W*$", re.I)


def column(name):
    return re.sub(r"\s", "_", name)


class Check:
    def __init__(self, deck, folder, code):
        import design_model
        self.deck, self.folder, self.code, self.wrong = deck, folder, code, []
        self.o = deck.entries["Optimization"]
        self.summary = json.loads((folder / "summary.json").read_text())
        self.model = design_model.Model(deck.entries, deck.mesh)
        self.is_tight = float(deck.entries.get("Solver", {}).get("Tolerance", 1e-5)) < 1e-6
        self.differences = []

    def fail(self, what, text):
        self.wrong.append((what, text))

    def compare(self, what, got, mine, tolerance, scale=0.):
        if got is None or not math.isfinite(got):
            self.fail(what, f"{what} is {got}, {mine:.8g} by the check")
            return
        size = max(abs(mine), scale)
        difference = abs(got - mine) / size if size else abs(got)
        self.differences.append(difference)
        if not difference <= tolerance:
            self.fail(what.split(" '")[0], f"{what}: {got:.8g}, {mine:.8g} by the check ({difference:.1e})")

    # the last design
    def read(self):
        name = f"deck-{self.summary['iterations']:04d}.vtu"
        arrays = design_results.read_arrays(self.folder / name)
        points, cells = design_results.cells_of(arrays)
        places = points[cells].mean(axis=1)
        distance, order = cKDTree(places).query(self.model.body.centres)
        of_nodes, nodes = cKDTree(points).query(self.model.body.points)
        room = 1e-5 * self.deck.mesh.edge + 1e-6 * np.abs(points).max()
        if len(cells) != len(order) or len(points) != len(nodes) or max(distance.max(), of_nodes.max()) > room:
            self.fail("mesh", f"{len(cells)} elements and {len(points)} nodes, {len(order)} and {len(nodes)} by the check")
            return False
        self.cell_data = {k: v[order].astype(float) for k, v in arrays.items() if len(v) == len(cells)}
        self.point_data = {k: v[nodes].astype(float) for k, v in arrays.items() if len(v) == len(points)}
        self.density = self.cell_data["density"]
        if self.density.min() < 0 or self.density.max() > 1:
            self.fail("densities", f"densities are from {self.density.min():.8g} to {self.density.max():.8g}")
        if (self.cell_data["design_flag"] != self.model.flags).any():
            self.fail("flags", "non-design regions have other elements than by the check")
        return True

    def analyse(self):
        fields = NAMES.get(self.o.get("Robust", {}).get("Fields"), ("density",))
        self.states = [self.model.state(self.cell_data[name]) for name in fields]
        self.blueprint = self.states[fields.index("density")] if "density" in fields else self.model.state(self.density)

    def merged(self, name, entries, low, weights=None):
        """A response over load cases and fields, in its least favourable value; with weights their sum or worst."""
        pick = min if low else max
        results = []
        for state in self.states:
            value = state.response(name, entries)
            if isinstance(value, dict):
                if weights == "sum":
                    value = sum(self.model.weights[c] * v for c, v in value.items())
                elif weights == "worst":
                    value = pick(self.model.weights[c] * v for c, v in value.items())
                else:
                    value = pick(value.values())
            results.append(value)
        return pick(results)

    def tolerance(self, name):
        if name in ("compliance", "volume", "mass", "local volume", "frequency"):
            return 1e-5
        return (5e-5 if name == "von mises" else 2e-5) if self.is_tight else 5e-3

    def scale(self, name, entries):
        """Displacements of both signs may be near to zero: they count by the largest one of the region."""
        if name != "displacement":
            return 0.
        return 0.1 * max(max(s.response("displacement norm", entries).values()) for s in self.states)

    def objective(self):
        goal = self.o.get("Maximise") or self.o.get("Minimise", "compliance")
        if goal == "mass with stress limits":
            return  # its penalties are no response
        entries = self.o.get(goal.capitalize(), {})
        mine = self.merged(goal, entries, bool(self.o.get("Maximise")), self.o.get("Over load cases", "sum"))
        if self.model.method == "simp" or self.summary["status"] != "ended":
            self.compare("objective", self.summary["objective"]["value"], mine, self.tolerance(goal), self.scale(goal, entries))

    def constraints(self):
        self.broken = []
        for name, entries in self.deck.entries.get("Constraints", {}).items():
            kind, low = entries["Response"], "At least" in entries
            limit, of_kind = float(entries["At least" if low else "At most"]), entries.get(entries["Response"].capitalize(), {})
            mine = self.merged(kind, of_kind, low)
            got = self.summary.get("constraints", {}).get(name)
            self.compare(f"constraint of {kind} '{name}'", got, mine, self.tolerance(kind), self.scale(kind, of_kind))
            by = (limit - mine if low else mine - limit) / abs(limit)
            if by > 0.02:
                self.broken.append(f"'{name}' ({kind}) by {100 * by:.1f} %")
        limits = self.o.get("Mass with stress limits")
        if limits:
            worst = max((self.blueprint.factors * self.blueprint.solid_stresses(c))[self.model.flags != 2].max()
                        for c in self.model.weights)
            if worst > 1.12 * float(limits["Limit"]):
                self.broken.append(f"stress limit by {100 * (worst / float(limits['Limit']) - 1):.1f} %")
        volumes = self.model.body.volumes
        counted = self.density * (self.density > 2e-3) if self.model.method == "beso" else self.density
        got, asked = self.summary["volume fraction"]["got"], float(self.o["Volume fraction"])
        mine = (counted * volumes).sum() / volumes.sum()
        self.compare("volume fraction", got, mine, 1e-5)
        is_goal = self.o.get("Minimise") in ("mass", "volume", "mass with stress limits")
        if not is_goal and mine > 1.02 * asked:
            self.broken.append(f"volume fraction by {100 * (mine / asked - 1):.1f} %")
        if self.broken and self.code != 3:
            self.fail("broken limit", f"exit code {self.code}, and broken: " + ", ".join(self.broken))

    def solid_body(self):
        """What the summary says that the body has whose densities are all 1, beside each limit."""
        there = self.summary.get("solid body", {})
        there.pop("mass with stress limits", None)  # the limit in an objective
        wanted = {name: entries for name, entries in self.deck.entries.get("Constraints", {}).items()
                  if entries["Response"] not in ("volume", "mass", "local volume")}
        if set(there) != set(wanted):
            self.fail("solid body", f"values for {sorted(there)}, and limits {sorted(wanted)}")
            return
        densities = np.where(self.model.flags == 2, float(self.o.get("Minimum density", 0.01)), 1.)
        state = self.model.state(densities) if wanted else None
        for name, entries in wanted.items():
            kind = entries["Response"]
            of_kind = entries.get(kind.capitalize(), {})
            mine = state.response(kind, of_kind)
            if isinstance(mine, dict):
                mine = (min if "At least" in entries else max)(mine.values())
            self.compare("solid body", there[name]["value"], mine, self.tolerance(kind), self.scale(kind, of_kind))

    def fields(self):
        """Displacements and stresses in the result, those of the blueprint. Of solid: in void a residual moves nodes far."""
        solid = self.density >= 0.5
        nodes = np.unique(self.model.body.cells[solid])
        for case, u in self.blueprint.displacements.items() if solid.any() else ():
            suffix = f"_{case}" if len(self.model.weights) > 1 else ""
            self.near("displacement" + suffix, self.point_data["displacement" + suffix][nodes], u.reshape(-1, 3)[nodes], 2e-5)
            if "von_mises" + suffix in self.cell_data:
                mine = self.blueprint.factors * self.blueprint.solid_stresses(case)
                self.near("von_mises" + suffix, self.cell_data["von_mises" + suffix][solid], mine[solid], 5e-5)

    def near(self, name, got, mine, tolerance):
        error = np.abs(got - mine).max() / max(np.abs(mine).max(), 1e-300)
        if error > (tolerance if self.is_tight else 300 * tolerance):
            self.fail("fields", f"{name} is off by {error:.1e} of the largest one")

    # verdicts
    def verdict(self):
        model, body = self.model, self.model.body
        is_design, solid = model.flags == 0, self.density >= 0.5
        self.facts = []
        if not (solid & is_design).any():
            self.facts.append("empty")
        saves = self.o.get("Minimise") in ("mass", "volume", "mass with stress limits")
        if saves and self.density[is_design].min() > 0.99:
            self.facts.append("full")
        labels = body.pieces(solid)
        pieces = self.summary["pieces"]
        count = len(set(labels[labels >= 0]))
        if pieces and pieces["number"] != count and np.abs(self.density - 0.5).min() > 1e-5:
            self.fail("pieces", f"{pieces['number']} pieces, {count} by the check")
        held, parted = model.held.any(axis=1), []
        of_pieces = [np.unique(body.cells[labels == k]) for k in set(labels[labels >= 0])]
        responses = [self.o.get("Maximise") or self.o.get("Minimise", "compliance")]
        responses += [entries["Response"] for entries in self.deck.entries.get("Constraints", {}).values()]
        counts_loads = not set(responses) <= {"frequency", "volume", "mass", "local volume"}  # others take displacements
        for case in model.weights:
            loaded = (np.abs(model.forces[case]).max(axis=1) > 0) | (np.abs(model.prescribed).max(axis=1) > 0)
            weighs = np.abs(model.forces_by_density[case]).max() > 0
            everywhere = weighs or not counts_loads
            if not loaded.any() and not everywhere:
                continue
            if not any(held[nodes].any() and (everywhere or loaded[nodes].any()) for nodes in of_pieces):
                parted.append(case)
        if parted:
            self.facts.append("parted" if len(parted) == len(model.weights) else "case parted")
        for fact in self.facts:
            if self.code != 3:
                text = {"empty": "no element to design has a density from 0.5", "full": "all is solid where mass was to be saved",
                        "parted": "no piece joins a load and a support",
                        "case parted": f"no piece joins a load of {', '.join(parted)} and a support"}[fact]
                self.fail(fact, f"exit code {self.code}, and {text}")
        best = self.summary.get("best")
        if best and self.code == 0:
            last, sign = self.summary["objective"]["value"], -1 if self.o.get("Maximise") else 1
            worse = sign * (last - best["objective"]) / max(abs(best["objective"]), 1e-300)
            if worse > 0.02:
                self.fail("worse than best", f"objective {last:.6g}, {best['objective']:.6g} in iteration {best['iteration']}: "
                          f"{100 * worse:.1f} % worse")

    def mirror_images(self):
        """Loads and solids without a mirror image behind a plane of symmetry are told."""
        odd = []
        for d, _ in self.model.mirrors:
            for name, load in self.deck.entries.get("Loads", {}).items():
                if load["Type"] != "pressure" and abs(float(load["Value"].split(",")[d])) > 0:
                    odd.append(name)
            is_odd = np.array([(d == i) != (d == j) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))])
            mixed = np.abs(self.model.elasticity[:, is_odd][:, :, ~is_odd])
            if mixed.max() > 1e-9 * np.abs(self.model.elasticity).max():
                odd.append("the fibres")
        if odd and not any("mirror image" in note for note in self.summary["notes"]):
            self.fail("mirror", f"no NOTE on the mirror image of {', '.join(odd)}")

    def words(self):
        for note in self.summary["notes"]:
            if NO_WORDS.search(note) or len(note.split()) < 4 or note.count("(") != note.count(")") or note.count("'") % 2:
                self.fail("note", f"no sentence: {note!r}")
        with open(self.folder / "history.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        if len(rows) != self.summary["iterations"]:
            self.fail("history", f"{len(rows)} rows, {self.summary['iterations']} iterations")
        for row in rows:
            if not all(math.isfinite(float(v)) for k, v in row.items() if k != "kkt"):
                self.fail("history", f"row {row['iteration']} has a number that is none")
                break

    def all(self):
        if self.read():
            self.analyse()
            self.objective()
            self.constraints()
            self.solid_body()
            self.fields()
            self.verdict()
            self.part()
            self.patterns()
            self.mirror_images()
        self.words()
        return self.wrong

    def part(self):
        """A part is closed, has the volume of the summary, and is not written of what is none."""
        if "Export" not in self.deck.entries:
            return
        files = sorted(self.folder.glob("*-part.stl"))
        if set(self.facts) & {"empty", "full", "parted", "case parted"}:
            if files:
                self.fail("part", f"a part is written of a design that is {', '.join(self.facts)}")
        elif not files:
            if self.code == 0:
                self.fail("part", "no part is written")
        else:
            corners = design_results.read_stl(files[0]).astype(float)
            volume = np.einsum("ti,ti->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
            if not design_results.is_closed(corners):
                self.fail("part", "the part is not closed")
            self.compare("part", self.summary["part"]["volume"], volume, 1e-4)

    # maps, on boxes of cubes
    def patterns(self):
        names = self.o.get("Maps", "").split(", ")
        if not self.deck.mesh.is_grid or not self.deck.mesh.is_cubes:
            return
        low, edge = self.deck.mesh.points.min(axis=0), self.deck.mesh.edge
        places = np.round((self.model.body.centres - low) / edge - 0.5).astype(int)
        counts = places.max(axis=0) + 1
        field, is_design = np.zeros(counts), np.zeros(counts, bool)
        field[tuple(places.T)], is_design[tuple(places.T)] = self.density, self.model.flags == 0
        pairs = []
        if "mirror" in names:
            normals = np.abs(np.array(self.o["Mirror"]["Normals"].split(","), float).reshape(-1, 3)).argmax(axis=1)
            pairs += [(np.flip(field, d), np.flip(is_design, d)) for d in normals]
        if "extrusion" in names:
            d = int(np.array(self.o["Extrusion"]["Direction"].split(","), float).argmax())
            pairs.append((np.roll(field, 1, d), np.roll(is_design, 1, d)))
        if "repetition" in names:
            for d, n in enumerate(map(int, self.o["Repetition"]["Repetitions"].split(","))):
                if counts[d] % n == 0:
                    pairs.append((np.roll(field, counts[d] // n, d), np.roll(is_design, counts[d] // n, d)))
        for other, free in pairs:
            both = free & is_design
            if both.any() and np.abs(other - field)[both].max() > 1e-5:
                self.fail("pattern", f"densities that are to be equal differ by {np.abs(other - field)[both].max():.2g}")
        sharp = "projection" in names and float(self.o["Projection"]["Maximum sharpness"]) >= 8
        for name in {"overhang", "casting"} & set(names):
            direction = np.array(self.o[name.capitalize()]["Direction"].split(","), float)
            d = int(np.abs(direction).argmax())
            layers, free = np.moveaxis(field, d, 0), np.moveaxis(is_design, d, 0)
            if direction[d] < 0:
                layers, free = layers[::-1], free[::-1]
            if name == "overhang" and sharp:
                below = np.pad(layers, ((0, 0), (1, 1), (1, 1)))
                carry = np.maximum.reduce([below[:, 1:-1, 1:-1], below[:, 2:, 1:-1], below[:, :-2, 1:-1], below[:, 1:-1, 2:],
                                           below[:, 1:-1, :-2]])[:-1]
                bad = (layers[1:] > 0.55) & (carry < 0.45) & free[1:]
            elif name == "casting":
                bad = (layers[1:] - layers[:-1] > 0.02) & free[1:] & free[:-1]
            else:
                continue
            if bad.any():
                self.fail(name, f"{bad.sum()} elements are not carried, or in the way of the mould")
