# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Random decks of whole optimizations: the same number makes the same deck.

Limits of constraints follow from the responses of the solid body, by design_model, so that most of them can be kept.
"""
import random as standard_random
from dataclasses import dataclass

import numpy as np

import design_meshes
import design_model


@dataclass
class Deck:
    number: int
    entries: dict
    mesh: design_meshes.Mesh
    n_ranks: int

    @property
    def kind(self):
        """In words, for the table."""
        o = self.entries["Optimization"]
        if o.get("Method", "simp") != "simp":
            return o["Method"]
        goal = "maximise frequency" if o.get("Maximise") else o.get("Minimise", "compliance")
        return goal + (", robust" if "Robust" in o else "")

    @property
    def traits(self):
        """What else is in the deck: for the table."""
        e, o = self.entries, self.entries["Optimization"]
        result = [self.mesh.entries["Type"], o.get("Update", "optimality criteria"), f"{self.n_ranks} ranks"]
        maps = o.get("Maps", "").split(", ") if "Maps" in o else [o.get("Filter", "sensitivity")]
        result += ["map " + name for name in maps if o.get("Method", "simp") == "simp"]
        result += ["limit " + c["Response"] for c in e.get("Constraints", {}).values()]
        result += ["load " + load["Type"] for load in e.get("Loads", {}).values()]
        result += [name for name in ("Materials", "Springs", "Symmetry", "Non-design regions") if name in e]
        result += [e["Material"]["Element"]] if "Element" in e["Material"] else []
        result += ["orthotropic"] if any("Young's moduli" in m for m in e.get("Materials", {}).values()) else []
        result += ["load cases"] if len({load.get("Load case") for load in e.get("Loads", {}).values()}) > 1 else []
        result += ["prescribed displacement"] if any("Displacement" in s for s in e["Supports"].values()) else []
        return sorted(set(result))


def text_of(entries, indent=""):
    lines = [f"{indent}set {name} = {value}" for name, value in entries.items() if not isinstance(value, dict)]
    for name, value in entries.items():
        if isinstance(value, dict):
            lines += [f"{indent}subsection {name}", text_of(value, indent + "  "), f"{indent}end"]
    return "\n".join(lines)


def short(value):
    return float(f"{value:.4g}")


class Maker:
    def __init__(self, number):
        self.random = standard_random.Random(number)
        kind = self.random.choices(list(design_meshes.KINDS), (9, 4, 2, 4))[0]
        self.mesh = design_meshes.KINDS[kind](self.random)
        self.deck = {"Backend": "cpu", "Threads": 1, "Mesh": self.mesh.entries}
        if self.mesh.entries["Type"] == "file" and self.chance(0.5):  # names in the place of numbers
            names = {number: name for name, number in self.mesh.boundary_names.items()}
            self.renamed = lambda entries: {k: names.get(str(v), v) if k == "Boundary ids" else v for k, v in entries.items()}
        else:
            self.renamed = dict

    def chance(self, share):
        return self.random.random() < share

    def pick(self, *values):
        return self.random.choice(values)

    def number_between(self, low, high):
        return short(self.random.uniform(low, high))

    def part_of_box(self, low, high, axis=None):
        """A plane between two shares of the box, off the nodes and the centres."""
        d = self.random.randrange(3) if axis is None else axis
        least, most = self.mesh.points[:, d].min(), self.mesh.points[:, d].max()
        return "xyz"[d], short(least + self.random.uniform(low, high) * (most - least)) + 0.0137 * self.mesh.edge

    # the structure
    def material(self):
        self.young = self.pick(1., 1., 70., 210000.)
        material = {"Young's modulus": self.young, "Poisson's ratio": self.pick(0.3, 0.3, 0.2, 0.35)}
        kind = self.random.random()
        if kind < 0.12:
            material["Element"] = "incompatible modes"
        elif kind < 0.17:
            material["Volumetric integration"] = "mean"
        self.deck["Material"] = material
        if self.chance(0.25):
            self.second_material(kind < 0.17)

    def second_material(self, one_ratio):
        other = {"Young's modulus": short(self.young * self.random.uniform(0.3, 3)), "Mass ratio": self.number_between(0.5, 3)}
        self.is_orthotropic = not one_ratio and self.chance(0.4)
        if self.is_orthotropic:
            young = [short(self.young * f) for f in (self.random.uniform(2, 6), 1, self.random.uniform(0.7, 1))]
            other = {"Young's moduli": ", ".join(map(str, young)), "Poisson's ratios": "0.3, 0.25, 0.3",
                     "Shear moduli": ", ".join(str(short(self.young * f)) for f in (0.5, 0.45, 0.35)),
                     "First axis": self.pick("1, 0, 0", "0.8, 0.6, 0", "0.7, 0.1, 0.7"), "Second axis": self.pick("0, 1, 0", "0.1, 1, 0"),
                     "Mass ratio": self.number_between(0.5, 2)}
            self.deck["Operator"] = self.pick("ebe", "nbn")
        elif not one_ratio and self.chance(0.4):
            other["Poisson's ratio"] = self.number_between(0.15, 0.4)
        if self.mesh.material_names and self.chance(0.6):
            other["Material ids"] = self.pick("near", "far")
        elif self.is_orthotropic and self.chance(0.5):
            other["Expression"] = "everywhere"
        else:
            axis, at = self.part_of_box(0.3, 0.7)
            other["Expression"] = f"{axis} < {at}"
        self.deck["Materials"] = {"other": other}

    is_orthotropic = False

    def supports_and_loads(self):
        supports, sites = self.random.choice(self.mesh.sites)
        self.sites = {name: self.renamed(region) for name, region in sites.items()}
        self.deck["Supports"] = {f"support {k + 1}": self.renamed(s) for k, s in enumerate(supports)}
        if len(supports) == 2:  # no rigid motion is left
            self.deck["Supports"]["support 3"] = {"Expression": "z < zmin + tol and x > xmax - tol"}
        can_be_half = self.mesh.entries["Type"] != "hollow cylinder" and "side" not in self.mesh.entries
        if can_be_half and self.chance(0.22):
            self.plane = "z" if self.mesh.entries["Type"] == "l beam" else "y"
            self.deck["Symmetry"] = {"Planes": f"{self.plane} = {self.plane}min"}
        size = self.young * self.pick(1e-3, 1e-2, 1.)
        names = self.pick(["1"], ["1"], ["1"], ["down", "side"], ["down", "side", "twist"])
        loads = {}
        for k, case in enumerate(names):
            for _ in range(self.pick(1, 1, 2)):
                load = self.load(size)
                if len(names) > 1:
                    load["Load case"] = case
                loads[f"load {len(loads) + 1}"] = load
        self.deck["Loads"] = loads
        if len(names) > 1 and self.chance(0.6):
            self.deck["Load cases"] = {"Weights": ", ".join(f"{n}: {self.number_between(0.3, 2)}" for n in names)}
        if self.chance(0.08):
            self.deck["Springs"] = {"base": dict(self.sites["edge"], Stiffness=", ".join(
                str(short(self.young * self.random.uniform(0.01, 1))) for _ in range(3)))}
        if self.chance(0.06):
            self.deck["Supports"]["stamp"] = dict(self.sites["edge"], Components="z",
                                                  Displacement=short(-0.01 * self.mesh.edge))

    plane = None

    def load(self, size):
        kind = self.random.choices(("total force", "traction", "pressure", "force per node", "body force", "self weight"),
                                   (5, 3, 2, 2, 1, 1.5))[0]
        place = {"force per node": self.pick("edge", "face"), "body force": "body", "self weight": "body"}.get(
            kind, self.pick("face", "patch", "side", "edge" if kind == "total force" else "face"))
        direction = [self.random.uniform(-1, 1) for _ in range(3)]
        direction[self.pick(0, 2, 2)] -= 1.5
        if self.plane and self.chance(0.8):
            direction["xyz".index(self.plane)] = 0.
        if kind == "pressure":
            direction[1:] = 0., 0.
        factor = {"body force": 0.01, "self weight": 0.02}.get(kind, 1.)
        return dict(self.sites[place], Type=kind, Value=", ".join(str(short(size * factor * x)) for x in direction))

    def regions(self):
        regions = {}
        if self.chance(0.3):
            axis, at = self.part_of_box(0.85, 0.93, 0)
            regions["pad"] = {"Expression": f"{axis} > {at}", "Density": "solid"}
        if self.chance(0.12):
            axis, low = self.part_of_box(0.35, 0.4, 0)
            other, at = self.part_of_box(0.3, 0.5, 2)
            regions["hole"] = {"Expression": f"{axis} > {low} and {axis} < {low + 2.1 * self.mesh.edge} and {other} < {at}",
                               "Density": "void"}
        if regions:
            self.deck["Non-design regions"] = regions

    # the problem
    def optimization(self):
        o = self.deck["Optimization"] = {"Volume fraction": self.number_between(0.25, 0.5),
                                         "Maximum iterations": self.random.randint(15, 60)}
        self.model = design_model.Model(self.deck, self.mesh)
        self.solid = self.model.state(np.ones(len(self.mesh.cells)))
        kind = self.random.choices(("compliance", "least", "limited", "displacement", "frequency", "stress limits", "stress",
                                    "iso stress", "beso"), (26, 20, 16, 7, 8, 5, 4, 6, 6))[0]
        if self.plane and kind == "frequency" and self.chance(0.8):  # refused: half of the modes would be missing
            kind = "displacement"
        if self.is_orthotropic and kind in ("iso stress", "stress limits", "stress"):
            kind = "compliance"
        if kind in ("iso stress", "beso"):
            self.evolution(o, kind)
            return
        needs_mma = kind != "compliance"
        o["Update"] = self.random.choices(("optimality criteria", "mma", "gcmma"), (0 if needs_mma else 4, 4, 1))[0]
        self.maps(o, o["Update"] != "optimality criteria")
        self.numbers(o)
        if kind == "least":
            name = o["Minimise"] = self.pick("mass", "volume")
            o["Volume fraction"] = self.pick(0.5, 0.7)
            self.amount_entries(o, name)
            self.constraints(self.pick(1, 1, 2), ("compliance", "displacement", "displacement norm", "frequency", "von mises"))
        elif kind == "limited":
            self.constraints(self.pick(1, 1, 2), ("volume", "mass", "frequency", "local volume", "displacement", "von mises"))
        elif kind == "displacement":
            name = o["Minimise"] = self.pick("displacement", "displacement norm")
            o[name.capitalize()] = self.displacement_entries(name, True)
        elif kind == "frequency":
            o["Maximise"] = "frequency"
            o["Move limit"] = self.pick(0.05, 0.1)
            o["Frequency"] = self.frequency_entries()
            if self.chance(0.4):
                del self.deck["Loads"]
                self.deck.pop("Load cases", None)
        elif kind == "stress limits":
            o["Minimise"] = "mass with stress limits"
            worst = max(self.solid.response("von mises", {}).values())
            o["Mass with stress limits"] = {"Limit": short(worst * self.random.uniform(1.2, 3))}
            o["Update"] = "mma"
        elif kind == "stress":
            o["Minimise"] = "von mises"
        by_case = kind in ("compliance", "limited", "displacement", "stress")
        if by_case and self.deck.get("Load cases") and self.chance(0.3) and o["Update"] != "optimality criteria":
            o["Over load cases"] = "worst"
        if "projection" in o.get("Maps", o.get("Filter", "")) and kind in ("compliance", "least", "limited", "displacement") \
                and self.chance(0.3) and o["Update"] != "gcmma":
            o["Robust"] = {"Fields": self.pick("worst case", "eroded and dilated", "eroded"),
                           "Threshold distance": self.pick(0.15, 0.25)}
            if kind != "compliance" and o["Robust"]["Fields"] == "eroded":
                o["Robust"]["Fields"] = "worst case"
            if o["Robust"]["Fields"] != "eroded":
                o["Update"] = "mma"

    def evolution(self, o, kind):
        o.update({"Method": kind, "Maximum iterations": self.random.randint(30, 60)})
        for load in self.deck["Loads"].values():  # which beso refuses
            if load["Type"] == "self weight" and kind == "beso" and self.chance(0.8):
                load["Type"] = "body force"
        o["Volume fraction"] = self.number_between(0.3, 0.6)
        if any(load["Type"] in ("body force", "self weight") for load in self.deck["Loads"].values()):  # all would stay
            o[kind.capitalize()] = {"Solid elements": "none"}
        if kind == "beso":
            o["Filter radius"] = short(self.mesh.edge * self.random.uniform(1.5, 2.2))
            o.setdefault("Beso", {})["Evolution rate"] = 0.04
            if self.chance(0.3):
                o["Beso"]["Void elements"] = "excluded"
        else:
            o.setdefault("Iso stress", {})["Evolution rate"] = 0.04
            if self.chance(0.3):
                o["Iso stress"]["Outside elements"] = "include"

    def maps(self, o, exact):
        o["Filter radius"] = short(self.mesh.edge * self.random.uniform(1.3, 2.1))
        kind = self.random.random()
        if kind < 0.1 and not exact:
            return  # the filter of sensitivities
        if kind < 0.5:
            o["Filter"] = self.pick("density", "projection", "projection")
        else:
            maps = [self.pick("density", "density", "helmholtz")]
            if kind > 0.65:
                maps.append(self.pick("extrusion", "mirror", "repetition", "cyclic", "overhang", "overhang", "casting"))
            if self.chance(0.75):
                maps.append("projection")
            o["Maps"] = ", ".join(maps)
            self.map_entries(o, maps)
        if "projection" in o.get("Maps", o.get("Filter", "")):
            per = self.random.randint(5, 8)
            most = self.pick(4, 8, 16)
            o["Projection"] = {"Iterations per sharpness": per, "Maximum sharpness": most}
            o["Maximum iterations"] = max(o["Maximum iterations"], per * (most.bit_length() - 1) + 15)

    def map_entries(self, o, maps):
        axes = ("1, 0, 0", "0, 1, 0", "0, 0, 1")
        if "extrusion" in maps:
            o["Extrusion"] = {"Direction": self.pick(*axes)}
        if "mirror" in maps:
            o["Mirror"] = {"Normals": self.pick("1, 0, 0", "0, 1, 0", "0, 1, 0, 0, 0, 1")}
        if "repetition" in maps:
            o["Repetition"] = {"Repetitions": self.pick("2, 1, 1", "1, 2, 1", "2, 1, 2")}
        if "cyclic" in maps:
            o["Cyclic"] = {"Sectors": self.pick(2, 3, 4), "Axis": self.pick(*axes), "Each sector": self.pick("plain", "mirrored")}
        def along_plane(*directions):  # others are mostly refused
            return self.pick(*[d for d in directions if not self.plane or d.split(", ")["xyz".index(self.plane)] == "0" or
                               self.chance(0.1)])

        if "overhang" in maps:
            o["Overhang"] = {"Direction": along_plane("0, 0, 1", "0, 0, 1", "0, 1, 0", "1, 0, 0", "0, 0, -1", "-1, 0, 0")}
        if "casting" in maps:
            o["Casting"] = {"Direction": along_plane("0, 0, 1", "0, 1, 0", "0, 0, -1", "1, 0, 0")}
            if self.chance(0.3):
                o["Casting"]["Draft angle"] = 45
        if "helmholtz" in maps and self.chance(0.4):
            o["Helmholtz"] = {"Boundary": "robin"}

    def numbers(self, o):
        if self.chance(0.35):
            o["Interpolation"] = "modified simp"
            o["Minimum stiffness"] = self.pick(1e-9, 1e-6)
        if self.chance(0.3):
            o["Penalization"] = self.pick(2, 2.5, 4)
        if self.chance(0.25):
            o["Minimum density"] = self.pick(0.001, 0.05)
        if self.chance(0.25):
            o["Move limit"] = self.pick(0.05, 0.1, 0.3)
        if self.chance(0.15):
            self.deck["Precision"] = "mixed"
        if "Operator" not in self.deck and self.chance(0.2):
            self.deck["Operator"] = self.pick("ebe", "nbn")

    def region(self):
        if self.mesh.material_names and self.chance(0.4):
            return {"Material ids": self.pick("near", "far")}
        axis, at = self.part_of_box(0.35, 0.65)
        return {"Expression": f"{axis} < {at}"}

    def amount_entries(self, where, name):
        entries = {"Density": self.pick(2.7, 7.85e-9)} if name == "mass" and self.chance(0.6) else {}
        if entries:
            where[name.capitalize()] = entries
        return entries

    def displacement_entries(self, name, is_goal=False):
        entries = dict(self.sites[self.pick("edge", "face")])
        if name == "displacement":
            for direction in ([1, 0, 0], [0, 1, 0], [0, 0, 1]):
                entries["Direction"] = ", ".join(map(str, direction))
                values = self.solid.response(name, entries)
                largest = max(values.values(), key=abs)
                if abs(largest) > 0.3 * max(self.solid.response("displacement norm", self.sites["edge"]).values()):
                    break
            if is_goal and largest < 0:
                entries["Direction"] = ", ".join(str(-x) for x in direction)
        return entries

    def frequency_entries(self):
        entries = {"Modes": self.pick(1, 2, 3), "Density": self.pick(1., 2.7e-9)}
        if self.chance(0.3):
            entries["Mass"] = "lumped"
        if self.chance(0.25):
            entries["Mass of low densities"] = "linear"
        return entries

    def constraints(self, n, names):
        if self.is_orthotropic:
            names = [name for name in names if name != "von mises"]
        if self.plane and self.chance(0.9):
            names = [name for name in names if name != "frequency"]
        result = self.deck["Constraints"] = {}
        for k, name in enumerate(self.random.sample(list(names), n)):
            entries, limit = {}, "At most"
            if name in ("displacement", "displacement norm"):
                entries = self.displacement_entries(name)
            elif name == "frequency":
                entries, limit = self.frequency_entries(), "At least"
            elif name == "von mises" or name in ("volume", "mass"):
                entries = self.region() if self.chance(0.6) else {}
                if name == "mass" and self.chance(0.5):
                    entries["Density"] = 2.7
            elif name == "local volume":
                entries = {"Diameter": short(self.mesh.edge * self.random.uniform(3, 6))}
            factor = {"frequency": self.random.uniform(0.5, 0.9), "mass": self.random.uniform(0.25, 0.5),
                      "volume": self.random.uniform(0.2, 0.5), "local volume": self.random.uniform(0.6, 0.9)}.get(
                          name, self.random.uniform(1.5, 4))
            if self.chance(0.07):  # cannot be kept, or nearly so
                factor = 1.3 if name == "frequency" else 0.5 * factor
            values = self.solid.response(name, entries)
            value = max(values.values(), key=abs) if isinstance(values, dict) else values
            if name == "displacement" and value < 0:
                limit = "At least"
            result[f"limit {k + 1}"] = {"Response": name, limit: short(value * factor)}
            if entries:
                result[f"limit {k + 1}"][name.capitalize()] = entries

    def finish(self):
        o = self.deck["Optimization"]
        if self.chance(0.8) or o.get("Minimise") not in (None, "compliance"):
            self.deck["Solver"] = {"Tolerance": 1e-8}
        if not self.is_orthotropic:
            self.deck["Output"] = {"Von Mises stress": "true"}


def make(number):
    maker = Maker(number)
    maker.material()
    maker.supports_and_loads()
    maker.regions()
    maker.optimization()
    maker.finish()
    n_ranks = maker.random.choices((1, 2, 3), (6, 2, 1))[0]
    if maker.chance(0.25):
        maker.deck["Export"] = {"Formats": "stl"}
    return Deck(number, maker.deck, maker.mesh, n_ranks)
