# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Trilinear hexahedra in numpy and scipy, to compare the numbers of strut with: nothing here is strut's.

Strains and stresses are in Voigt's order xx, yy, zz, xy, yz, zx, with engineering shear strains.
"""
import itertools

import numpy as np
import scipy.sparse as sparse
import scipy.sparse.csgraph as csgraph
import scipy.sparse.linalg as linalg

CORNERS = np.array([(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, 1), (1, -1, 1), (1, 1, 1),
                    (-1, 1, 1)], float)  # the order of VTK
FACES = np.array([(0, 4, 7, 3), (1, 2, 6, 5), (0, 1, 5, 4), (3, 7, 6, 2), (0, 3, 2, 1), (4, 5, 6, 7)])  # from outside
GAUSS = np.array(list(itertools.product((-1, 1), repeat=3))) / np.sqrt(3)
VOIGT = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))


def shapes(at):
    """Trilinear functions and their derivatives by the reference coordinates."""
    factors = 1 + CORNERS * at
    slopes = np.array([[CORNERS[a, d] * np.prod(np.delete(factors[a], d)) for d in range(3)] for a in range(8)])
    return np.prod(factors, axis=1) / 8, slopes / 8


def strain_matrices(gradients):
    """B of elements, (E, 6, 3 n), of the gradients (E, n, 3) of n functions."""
    n_elements, n, _ = gradients.shape
    result = np.zeros((n_elements, 6, n, 3))
    for row, (i, j) in enumerate(VOIGT):
        result[:, row, :, i] += gradients[:, :, j]
        if i != j:
            result[:, row, :, j] += gradients[:, :, i]
    return result.reshape(n_elements, 6, 3 * n)


def isotropic(young, ratio):
    lame, shear = young * ratio / ((1 + ratio) * (1 - 2 * ratio)), young / (2 * (1 + ratio))
    result = np.diag([2 * shear] * 3 + [shear] * 3)
    result[:3, :3] += lame
    return result


def orthotropic(young, ratios, shear, first, second):
    """E1..E3, nu12, nu13, nu23, G12, G13, G23, and directions of the first two axes."""
    compliance = np.diag([1 / young[0], 1 / young[1], 1 / young[2], 1 / shear[0], 1 / shear[2], 1 / shear[1]])
    for (i, j), ratio in zip(((0, 1), (0, 2), (1, 2)), ratios):
        compliance[i, j] = compliance[j, i] = -ratio / young[i]
    own = np.linalg.inv(compliance)
    axes = [np.array(first, float) / np.linalg.norm(first)]
    axes.append(second - np.dot(second, axes[0]) * axes[0])
    axes[1] /= np.linalg.norm(axes[1])
    axes.append(np.cross(axes[0], axes[1]))
    tensor = np.zeros((3, 3, 3, 3))
    for p, (i, j) in enumerate(VOIGT):
        for q, (k, l) in enumerate(VOIGT):
            for a, b in {(i, j), (j, i)}:
                for c, d in {(k, l), (l, k)}:
                    tensor[a, b, c, d] = own[p, q]
    turned = np.einsum("abcd,ai,bj,ck,dl->ijkl", tensor, *[np.array(axes)] * 4)
    return np.array([[turned[i, j, k, l] for k, l in VOIGT] for i, j in VOIGT])


class Body:
    """Points (N, 3) and hexahedra (E, 8) in VTK's order, with what integrals over them need."""

    def __init__(self, points, cells):
        self.points, self.cells = np.asarray(points, float), np.asarray(cells, int)
        corners = self.points[self.cells]
        self.centres = corners.mean(axis=1)
        self.gradients, self.weights, self.values = [], [], []
        for at in GAUSS:
            value, slopes = shapes(at)
            jacobian = np.einsum("eai,ad->eid", corners, slopes)
            self.weights.append(np.linalg.det(jacobian))
            self.gradients.append(np.einsum("ad,edi->eai", slopes, np.linalg.inv(jacobian)))
            self.values.append(value)
        self.volumes = sum(self.weights)
        self.shape_integrals = sum(w[:, None] * n for w, n in zip(self.weights, self.values))
        jacobian = np.einsum("eai,ad->eid", corners, shapes(np.zeros(3))[1])
        self.middle_inverse, self.middle_det = np.linalg.inv(jacobian), np.linalg.det(jacobian)
        self.middle_strains = strain_matrices(np.einsum("ad,edi->eai", shapes(np.zeros(3))[1], self.middle_inverse))
        self.dofs = (3 * self.cells[:, :, None] + np.arange(3)).reshape(len(cells), 24)
        self.n_dofs = 3 * len(points)
        faces = self.cells[:, FACES].reshape(-1, 4)
        _, inverse, counts = np.unique(np.sort(faces, axis=1), axis=0, return_inverse=True, return_counts=True)
        inverse = inverse.ravel()
        outer = counts[inverse] == 1
        self.faces, self.face_elements = faces[outer], np.repeat(np.arange(len(cells)), 6)[outer]
        self.face_centres = self.points[self.faces].mean(axis=1)
        order = np.argsort(inverse, kind="stable")
        elements = np.repeat(np.arange(len(cells)), 6)[order]
        same = inverse[order][1:] == inverse[order][:-1]
        self.neighbours = np.stack([elements[:-1][same], elements[1:][same]], axis=1)  # that share a face

    def stiffness(self, elasticity, element="trilinear", integration="full"):
        """Matrices (E, 24, 24) of solid elements, with a matrix of elasticity (E, 6, 6) each."""
        result = np.zeros((len(self.cells), 24, 24))
        mixed, inner = np.zeros((len(self.cells), 24, 9)), np.zeros((len(self.cells), 9, 9))
        divergence = np.zeros((len(self.cells), 24))
        lame = elasticity[:, 0, 1]
        if integration == "mean":
            elasticity = elasticity.copy()
            elasticity[:, :3, :3] -= lame[:, None, None]
        for at, gradients, weights in zip(GAUSS, self.gradients, self.weights):
            strains = strain_matrices(gradients)
            stresses = elasticity @ strains * weights[:, None, None]
            result += strains.transpose(0, 2, 1) @ stresses
            divergence += weights[:, None] * strains[:, :3].sum(axis=1)
            if element == "incompatible modes":  # Taylor, Beresford and Wilson 1976
                modes = np.sign(at)[:, None] * self.middle_inverse * (self.middle_det / weights)[:, None, None]
                modes = strain_matrices(modes)
                mixed += stresses.transpose(0, 2, 1) @ modes
                inner += modes.transpose(0, 2, 1) @ elasticity @ modes * weights[:, None, None]
        if element == "incompatible modes":
            result -= mixed @ np.linalg.solve(inner, mixed.transpose(0, 2, 1))
        if integration == "mean":
            result += (lame / self.volumes)[:, None, None] * divergence[:, :, None] * divergence[:, None, :]
        return result

    def mass(self, lumped=False):
        """Matrices (E, 24, 24) for a mass per volume of 1."""
        scalar = sum(w[:, None, None] * np.outer(n, n) for w, n in zip(self.weights, self.values))
        if lumped:
            scalar = np.einsum("ea,ab->eab", self.shape_integrals, np.eye(8))
        return np.einsum("eab,ij->eaibj", scalar, np.eye(3)).reshape(-1, 24, 24)

    def assemble(self, matrices):
        rows = np.repeat(self.dofs, 24, axis=1).ravel()
        columns = np.tile(self.dofs, (1, 24)).ravel()
        return sparse.coo_matrix((matrices.ravel(), (rows, columns)), shape=(self.n_dofs, self.n_dofs)).tocsc()

    def face_forces(self, which, traction):
        """Nodal forces (N, 3) of a traction on outer faces: a vector, or a function of the unit normals (F, 3)."""
        corners, forces = self.points[self.faces[which]], np.zeros((len(self.points), 3))
        signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        area = 0.
        for r, s in itertools.product((-1 / np.sqrt(3), 1 / np.sqrt(3)), repeat=2):
            value = (1 + signs[:, 0] * r) * (1 + signs[:, 1] * s) / 4
            along_r = np.einsum("a,fai->fi", signs[:, 0] * (1 + signs[:, 1] * s) / 4, corners)
            along_s = np.einsum("a,fai->fi", signs[:, 1] * (1 + signs[:, 0] * r) / 4, corners)
            normals = np.cross(along_r, along_s)
            sizes = np.linalg.norm(normals, axis=1)
            area += sizes.sum()
            force = traction(normals / sizes[:, None]) if callable(traction) else np.broadcast_to(traction, normals.shape)
            for a in range(4):
                np.add.at(forces, self.faces[which][:, a], value[a] * sizes[:, None] * force)
        return forces, area

    def von_mises(self, stresses):
        """Of stresses (E, 6)."""
        s = stresses - np.pad(np.repeat(stresses[:, :3].mean(axis=1)[:, None], 3, axis=1), ((0, 0), (0, 3)))
        return np.sqrt(1.5 * ((s[:, :3]**2).sum(axis=1) + 2 * (s[:, 3:]**2).sum(axis=1)))

    def pieces(self, chosen):
        """Numbers of pieces that share faces, -1 for elements that are not chosen."""
        inside = chosen[self.neighbours].all(axis=1)
        graph = sparse.coo_matrix((np.ones(inside.sum()), self.neighbours[inside].T), shape=(len(chosen),) * 2)
        labels = csgraph.connected_components(graph, directed=False)[1]
        return np.where(chosen, labels, -1)


class Solver:
    """A factor of the stiffness on those degrees of freedom that are free and have any."""

    def __init__(self, matrix, is_held):
        self.matrix, diagonal = matrix, matrix.diagonal()
        self.free = np.flatnonzero(~is_held & (diagonal > 0))
        self.inner = matrix[self.free][:, self.free].tocsc()
        self.factor = linalg.splu(self.inner, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.,
                                  options={"SymmetricMode": True})

    def solve(self, force, prescribed):
        """Displacements for forces and prescribed values, both of all degrees of freedom."""
        u = prescribed.copy()
        rest = (force - self.matrix @ prescribed)[self.free]
        solution = self.factor.solve(rest)
        solution += self.factor.solve(rest - self.inner @ solution)
        u[self.free] = solution
        return u

    def eigenvalues(self, mass, n):
        """The n lowest of K x = lambda M x."""
        operator = linalg.LinearOperator(self.inner.shape, self.factor.solve)
        inner = mass[self.free][:, self.free].tocsc()
        start = np.cos(np.arange(len(self.free)))  # the same in each run
        values = linalg.eigsh(self.inner, k=n + 3, M=inner, sigma=0., OPinv=operator, v0=start,
                              return_eigenvectors=False)
        return np.sort(values)[:n]
