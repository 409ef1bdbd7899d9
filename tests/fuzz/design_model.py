# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""What a deck asks for, on a mesh of the generator: supports, loads, solids, responses, by design_fem."""
import math
import re

import numpy as np

import design_fem

WHOLE = "everywhere"


def numbers(text):
    return np.array([float(word) for word in str(text).split(",")])


def flags_by(deck, *path):
    """Entries of a subsection; none if the deck has no such one."""
    for name in path:
        deck = deck.get(name, {})
    return deck


class Model:
    """`deck` is a dictionary of entries and of dictionaries, `mesh` one of design_meshes."""

    def __init__(self, deck, mesh):
        self.deck, self.mesh, self.body = deck, mesh, design_fem.Body(mesh.points, mesh.cells)
        body = self.body
        low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
        self.names = {"h": body.volumes.min()**(1 / 3), "tol": 1e-6 * (high - low).max(), "pi": math.pi, "sqrt": np.sqrt,
                      "abs": np.abs}
        for d, name in enumerate("xyz"):
            self.names[name + "min"], self.names[name + "max"] = low[d], high[d]
        self.boundary = mesh.boundary_ids(body.face_centres)
        self.materials = mesh.material_ids(body.centres)
        self.optimization = deck["Optimization"]
        self.method = self.optimization.get("Method", "simp")
        self._solids()
        self._flags()
        self._supports()
        self._loads()

    # regions
    def _holds(self, entries, at):
        text = entries.get("Expression", "")
        if text in ("", WHOLE):
            return np.ones(len(at), bool)
        names = dict(self.names, x=at[:, 0], y=at[:, 1], z=at[:, 2])
        result = np.zeros(len(at), bool)
        for alternative in text.split(" or "):
            conditions = [eval(c, {"__builtins__": {}}, names) for c in alternative.split(" and ")]  # pylint: disable=eval-used
            result |= np.logical_and.reduce(conditions)
        return result

    def _ids(self, entries, kind):
        table = self.mesh.boundary_names if kind == "Boundary ids" else self.mesh.material_names
        return [table.get(word.strip(), word.strip()) for word in str(entries[kind]).split(",")]

    def elements(self, entries):
        chosen = self._holds(entries, self.body.centres)
        if "Material ids" in entries:
            chosen &= np.isin(self.materials, [int(i) for i in self._ids(entries, "Material ids")])
        if "Boundary ids" in entries:
            near = np.zeros(len(chosen), bool)
            near[self.body.face_elements[np.isin(self.boundary, [int(i) for i in self._ids(entries, "Boundary ids")])]] = True
            chosen &= near
        return chosen

    def faces(self, entries):
        chosen = self._holds(entries, self.body.face_centres)
        if "Boundary ids" in entries:
            chosen &= np.isin(self.boundary, [int(i) for i in self._ids(entries, "Boundary ids")])
        return np.flatnonzero(chosen)

    def nodes(self, entries):
        chosen = self._holds(entries, self.body.points)
        if "Boundary ids" in entries:
            named = np.zeros(len(chosen), bool)
            named[self.body.faces[np.isin(self.boundary, [int(i) for i in self._ids(entries, "Boundary ids")])]] = True
            chosen &= named
        return np.flatnonzero(chosen)

    # the structure
    def _solids(self):
        material = self.deck["Material"]
        young, ratio = float(material["Young's modulus"]), float(material["Poisson's ratio"])
        n = len(self.mesh.cells)
        self.elasticity = np.repeat(design_fem.isotropic(young, ratio)[None], n, axis=0)
        self.mass_ratios = np.ones(n)
        for solid in self.deck.get("Materials", {}).values():
            where = self.elements(solid)
            self.mass_ratios[where] = float(solid.get("Mass ratio", 1))
            if "Young's moduli" in solid:
                values = [numbers(solid[name]) for name in ("Young's moduli", "Poisson's ratios", "Shear moduli", "First axis",
                                                            "Second axis")]
                self.elasticity[where] = design_fem.orthotropic(*values)
            else:
                self.elasticity[where] = design_fem.isotropic(
                    float(solid.get("Young's modulus", young)), float(solid.get("Poisson's ratio", ratio)))
        self.solid = self.body.stiffness(self.elasticity, material.get("Element", "trilinear"),
                                         material.get("Volumetric integration", "full"))

    def _flags(self):
        self.flags = np.zeros(len(self.mesh.cells), int)
        for region in self.deck.get("Non-design regions", {}).values():
            self.flags[self.elements(region)] = 2 if region.get("Density") == "void" else 1

    def _supports(self):
        held = np.zeros((len(self.body.points), 3), bool)
        self.prescribed = np.zeros(held.shape)
        for support in self.deck.get("Supports", {}).values():
            nodes = self.nodes(support)
            components = ["xyz".index(c.strip()) for c in support.get("Components", "x, y, z").split(",")]
            values = numbers(support.get("Displacement", 0))
            for k, c in enumerate(components):
                held[nodes, c] = True
                self.prescribed[nodes, c] = values[k if len(values) > 1 else 0]
        self.mirrors = []
        planes = self.deck.get("Symmetry", {}).get("Planes", "")
        for axis, place in re.findall(r"([xyz])\s*=\s*([^,]+)", planes):
            d, at = "xyz".index(axis), self.names.get(place.strip())
            at = float(place) if at is None else at
            held[np.abs(self.body.points[:, d] - at) < self.names["tol"], d] = True
            self.mirrors.append((d, at))
        self.held = held
        self.springs = np.zeros(held.shape)
        for spring in self.deck.get("Springs", {}).values():
            nodes = self.nodes(spring)
            self.springs[nodes] += numbers(spring["Stiffness"]) / len(nodes)

    def _loads(self):
        self.forces, self.weights, self.forces_by_density = {}, {}, {}
        given = self.deck.get("Load cases", {}).get("Weights", "")
        weights = {pair.split(":")[0].strip(): float(pair.split(":")[1]) for pair in given.split(",") if ":" in pair}
        body = self.body
        for load in self.deck.get("Loads", {}).values():
            case = load.get("Load case", "1")
            self.weights[case] = weights.get(case, 1.)
            force = self.forces.setdefault(case, np.zeros(self.held.shape))
            by_density = self.forces_by_density.setdefault(case, np.zeros((len(body.cells), 3)))
            value, kind = numbers(load["Value"]), load.get("Type", "force per node")
            if kind == "force per node":
                force[self.nodes(load)] += value
            elif kind == "total force":
                faces = self.faces(load)
                if len(faces):
                    unit, area = body.face_forces(faces, value)
                    force += unit / area
                else:
                    nodes = self.nodes(load)
                    force[nodes] += value / len(nodes)
            elif kind == "traction":
                force += body.face_forces(self.faces(load), value)[0]
            elif kind == "pressure":
                force += body.face_forces(self.faces(load), lambda normals, p=value[0]: -p * normals)[0]
            elif kind == "body force":
                self._add_weight(force, value * self.elements(load)[:, None])
            else:
                by_density += value * self.elements(load)[:, None]
        if not self.forces:
            self.forces, self.weights = {"1": np.zeros(self.held.shape)}, {"1": 1.}
            self.forces_by_density = {"1": np.zeros((len(body.cells), 3))}

    def _add_weight(self, force, per_volume):
        share = self.body.shape_integrals[:, :, None] * per_volume[:, None, :]
        np.add.at(force, self.body.cells, share)

    def interpolate(self, densities):
        """Stiffness factors of densities."""
        o = self.optimization
        if self.method == "iso stress":
            weak = float(o.get("Iso stress", {}).get("Weak stiffness", 1e-6))
            factors = densities + weak * (1 - densities)
            return np.where(densities > 0, factors, 0 if o.get("Iso stress", {}).get("Outside elements") != "include" else weak)
        power = float((o.get("Beso", {}) if self.method == "beso" else o).get("Penalization", 3))
        least = float(o.get("Minimum stiffness", 1e-9)) if o.get("Interpolation") == "modified simp" else 0.
        return least + densities**power * (1 - least)

    def state(self, densities):
        return State(self, densities)


class State:
    """Displacements of a design, and the responses to it."""

    def __init__(self, model, densities):
        self.model, self.densities, body = model, densities, model.body
        self.factors = model.interpolate(densities)
        springs = design_fem.sparse.diags(model.springs.ravel())
        self.stiffness = (body.assemble(model.solid * self.factors[:, None, None]) + springs).tocsc()
        self.solver = design_fem.Solver(self.stiffness, model.held.ravel())
        self.displacements, self.compliances = {}, {}
        for case, force in model.forces.items():
            force = force.copy()
            model._add_weight(force, model.forces_by_density[case] * (densities * model.mass_ratios)[:, None])
            u = self.solver.solve(force.ravel(), model.prescribed.ravel())
            self.displacements[case] = u
            self.compliances[case] = 2 * force.ravel() @ u - u @ (self.stiffness @ u)

    def solid_stresses(self, case):
        """Of von Mises, of the solid at the centres."""
        body = self.model.body
        strains = np.einsum("eij,ej->ei", body.middle_strains, self.displacements[case][body.dofs])
        return body.von_mises(np.einsum("eij,ej->ei", self.model.elasticity, strains))

    def response(self, name, entries):
        """Values by load case, or one number where cases do not matter; None if it is not a plain number."""
        model, body = self.model, self.model.body
        if name == "compliance":
            return dict(self.compliances)
        if name in ("volume", "mass"):
            where = model.elements(entries)
            part = (body.volumes * self.densities)[where]
            if name == "volume":
                return part.sum() / body.volumes[where].sum()
            return float(entries.get("Density", 1)) * (part * model.mass_ratios[where]).sum()
        if name in ("displacement", "displacement norm"):
            nodes, result = model.nodes(entries), {}
            shares = np.ones(len(nodes))
            if model.deck.get("Symmetry", {}).get("Mirror filters") != "false":
                for d, at in model.mirrors:
                    shares[np.abs(body.points[nodes, d] - at) < model.names["tol"]] *= 0.5
            shares /= shares.sum()
            for case, u in self.displacements.items():
                vectors = u.reshape(-1, 3)[nodes]
                if name == "displacement":
                    direction = numbers(entries.get("Direction", "0, 0, 1"))
                    result[case] = shares @ (vectors @ direction) / np.linalg.norm(direction)
                else:
                    sizes, power = np.linalg.norm(vectors, axis=1), float(entries.get("Exponent", 8))
                    result[case] = sizes.max() * (shares @ (sizes / sizes.max())**power)**(1 / power)
            return result
        if name == "von mises":
            where = model.elements(entries) & (model.flags != 2)
            relaxed = self.densities**float(entries.get("Relaxation", 0.5))
            result, power = {}, float(entries.get("Exponent", 8))
            for case in self.displacements:
                values = (relaxed * self.solid_stresses(case))[where]
                share = body.volumes[where] / body.volumes[where].sum()
                is_norm = entries.get("Scaling") == "none"
                result[case] = values.max() * ((share * (values / values.max())**power).sum()**(1 / power) if is_norm else 1)
            return result
        if name == "local volume":
            return self._local_volume(entries)
        if name == "frequency":
            return self._frequency(entries)
        return None

    def _local_volume(self, entries):
        model, body = self.model, self.model.body
        where = model.elements(entries) & (model.flags == 0)
        centres, sources = body.centres, [(body.centres, np.arange(len(body.centres)))]
        if model.deck.get("Symmetry", {}).get("Mirror filters") != "false":
            for d, at in model.mirrors:
                for places, numbers_ in list(sources):
                    image = places.copy()
                    image[:, d] = 2 * at - image[:, d]
                    sources.append((image, numbers_))
        places = np.concatenate([s[0] for s in sources])
        who = np.concatenate([s[1] for s in sources])
        radius, shares = float(entries["Diameter"]) / 2, []
        for centre in centres[where]:
            weights = np.maximum(0., radius - np.linalg.norm(places - centre, axis=1)) * body.volumes[who]
            shares.append((weights * self.densities[who]).sum() / weights.sum())
        shares, volumes, power = np.array(shares), body.volumes[where], float(entries.get("Exponent", 16))
        if entries.get("Scaling") == "none":
            return ((volumes / volumes.sum()) @ shares**power)**(1 / power)
        return shares.max()

    def _frequency(self, entries):
        model, low = self.model, self.densities
        if entries.get("Mass of low densities") != "linear":
            share = 6e5 * low**5 - 5e6 * low**6
            low = np.where(low < 0.1, share * low + (1 - share) * self.factors, low)
        mass = model.body.assemble(model.body.mass(entries.get("Mass") == "lumped") *
                                   (low * model.mass_ratios)[:, None, None])
        values = self.solver.eigenvalues(mass, int(entries.get("Modes", 3)))
        power = float(entries.get("Exponent", 8))
        mean = values[0] * ((values / values[0])**-power).sum()**(-1 / power)
        return np.sqrt(mean / float(entries.get("Density", 1))) / (2 * np.pi)
