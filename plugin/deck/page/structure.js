// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Fills the page of a problem, or of the place of a fault. Texts of the deck come in by textContent alone, never as HTML.
'use strict';

const data = JSON.parse(byId('data').textContent), low = numbersOf(data.part.low);
const KINDS = {design: {colour: '#b8c9db'}, solid: {colour: '#5c708a'}, void: {colour: '#e8c95a', alpha: 0.35},
  faulty: {colour: '#f24026'}, others: {colour: '#b8c9db', alpha: 0.25}};
const surfaces = [], edges = [];
let triangles = 0, whole = true;
for (const {name, kind, ...part} of data.surfaces) {
  const surface = shaded(part, low), {places} = surface;
  if (places.length === 0) { whole = false; continue; }
  surfaces.push({kind: 0, label: name, ...KINDS[kind], ...surface});
  triangles += places.length / 9;
  whole = whole && part.whole;
  // the third side of a triangle is inside the face of an element
  if (part.whole && !KINDS[kind].alpha)
    for (let t = 0; t < places.length; t += 9)
      for (const i of [0, 3, 3, 6]) edges.push(places[t + i], places[t + i + 1], places[t + i + 2]);
}
if (edges.length > 0)
  surfaces.push({kind: 2, colour: '#73808f', places: edges, nearer: 0.001, label: 'edges of elements', shown: triangles < 40000});
byId('name').textContent = data.name;
showPart(data.part, surfaces, data.nodes, {
  what: whole ? '' : 'The surface has fewer triangles than the mesh has faces; the .vtu file has all. ',
  nothing: 'The surface is too fine for a page; the .vtu file has it.'});
