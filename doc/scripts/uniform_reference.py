#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""The compliance of prm/verification/uniform-32x16x16.prm without strut: B^T D B and SciPy."""
import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg as solvers

nx, ny, nz = 32, 16, 16
E, nu = 0.3**3, 0.3

# Vertices in the usual order of finite element books (not deal.II's), unit cube.
signs = np.array([[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1],
                  [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]])
D = E / ((1 + nu) * (1 - 2 * nu)) * np.diag([1 - nu] * 3 + [0.5 - nu] * 3)
D[:3, :3] += E / ((1 + nu) * (1 - 2 * nu)) * nu * (np.ones((3, 3)) - np.eye(3))

K = np.zeros((24, 24))
for point in np.array(np.meshgrid(*[[-1, 1]] * 3)).reshape(3, 8).T / np.sqrt(3):
    B = np.zeros((6, 24))
    for i, s in enumerate(signs):
        t = 1 + s * point
        x, y, z = 2 * np.array([s[0] * t[1] * t[2], s[1] * t[0] * t[2], s[2] * t[0] * t[1]]) / 8
        B[:, 3 * i:3 * i + 3] = [[x, 0, 0], [0, y, 0], [0, 0, z], [y, x, 0], [0, z, y], [z, 0, x]]
    K += B.T @ D @ B / 8


def node(i, j, k):
    return (i * (ny + 1) + j) * (nz + 1) + k


i, j, k = (a.ravel() for a in np.meshgrid(range(nx), range(ny), range(nz), indexing="ij"))
nodes = np.stack([node(i + (s[0] > 0), j + (s[1] > 0), k + (s[2] > 0)) for s in signs], 1)
dofs = (3 * nodes[:, :, None] + np.arange(3)).reshape(len(nodes), 24)
n = 3 * (nx + 1) * (ny + 1) * (nz + 1)
A = sparse.csr_matrix((np.tile(K.ravel(), len(nodes)),
                       (np.repeat(dofs, 24, 1).ravel(), np.tile(dofs, (1, 24)).ravel())), shape=(n, n))

f = np.zeros(n)
f[[3 * node(nx, j, 0) + 2 for j in range(ny + 1)]] = -1
held = [3 * node(0, j, k) + c for j in range(ny + 1) for k in range(nz + 1) for c in range(3)]
free = np.setdiff1d(np.arange(n), held)
A, f = A[free][:, free], f[free]
u, _ = solvers.cg(A, f, rtol=1e-11, maxiter=5000, M=sparse.diags(1 / A.diagonal()))
print(f"compliance {f @ u:.10f}")
