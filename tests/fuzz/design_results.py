# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Reads the arrays of a .vtu of strut into numpy: appended data, raw or base64, compressed blocks or not."""
import base64
import re
import zlib

import numpy as np

TYPES = {"Float32": "f4", "Float64": "f8", "Int8": "i1", "UInt8": "u1", "Int16": "i2", "UInt16": "u2", "Int32": "i4",
         "UInt32": "u4", "Int64": "i8", "UInt64": "u8"}


def read_arrays(path):
    """The arrays by their names; those with components have two dimensions."""
    data = path.read_bytes()
    begin = data.index(b"_", data.index(b"<AppendedData")) + 1
    head = data[:begin].decode("utf-8", "replace")
    is_raw, is_packed = 'encoding="raw"' in head, "vtkZLibDataCompressor" in head
    word = "<u8" if 'header_type="UInt64"' in head else "<u4"
    arrays = {}
    for tag in re.findall(r'<DataArray [^>]*format="appended"[^>]*>', head):
        field = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        at = begin + int(field["offset"])

        def take(n, at):
            return data[at:at + n] if is_raw else base64.b64decode(data[at:at + (n + 2) // 3 * 4])[:n]

        size = np.dtype(word).itemsize
        if is_packed:
            n_blocks = int(np.frombuffer(take(size, at), word)[0])
            n_head = size * (3 + n_blocks)
            sizes = np.frombuffer(take(n_head, at), word)[3:]
            packed = take(int(sizes.sum()), at + (n_head if is_raw else (n_head + 2) // 3 * 4))
            ends = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
            content = b"".join(zlib.decompress(packed[a:b]) for a, b in zip(ends, ends[1:]))
        else:
            n = int(np.frombuffer(take(size, at), word)[0])
            content = take(size + n, at)[size:] if not is_raw else data[at + size:at + size + n]
        values = np.frombuffer(content, "<" + TYPES[field["type"]])
        components = int(field.get("NumberOfComponents", "1"))
        arrays[field["Name"]] = values.reshape(-1, components) if components > 1 else values
    return arrays


def cells_of(arrays):
    """Points (N, 3) in double and hexahedra (E, 8) in VTK's order."""
    return arrays["Points"].astype(float).reshape(-1, 3), arrays["connectivity"].astype(int).reshape(-1, 8)


def read_stl(path):
    """Corners of triangles (T, 3, 3) of a binary STL."""
    data = path.read_bytes()
    triangle = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
    return np.frombuffer(data[84:], triangle, int(np.frombuffer(data[80:84], "<u4")[0]))["corners"]


def is_closed(corners):
    """Whether each edge of the triangles has as many of one direction as of the other."""
    _, who = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    who = who.reshape(-1, 3)
    edges = np.concatenate([who[:, (0, 1)], who[:, (1, 2)], who[:, (2, 0)]])
    there, n_there = np.unique(edges, axis=0, return_counts=True)
    back, n_back = np.unique(edges[:, ::-1], axis=0, return_counts=True)
    return np.array_equal(there, back) and np.array_equal(n_there, n_back)
