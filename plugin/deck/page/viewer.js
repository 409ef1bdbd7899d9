// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The part, drawn by WebGL 2 in parallel projection, with spots on supports and arrows for loads.
'use strict';

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const plus = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const unit = a => { const n = Math.hypot(...a) || 1; return a.map(x => x / n); };
const numbersOf = text => text.trim() === '' ? [] : text.trim().split(' ').map(Number);

function bytesOf(base64) {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes.buffer;
}

// Corners of triangles with their normals: the mean over the triangles around a vertex that bend by less than 35 degrees
// from the corner's own, so that edges stay sharp and round faces round.
function shaded(part, low) {
  const steps = new Uint16Array(bytesOf(part.places)), buffer = bytesOf(part.corners);
  const corners = part.bits === 16 ? new Uint16Array(buffer) : new Uint32Array(buffer);
  const nTriangles = corners.length / 3, nVertices = steps.length / 3;
  const areas = new Float32Array(3 * nTriangles), first = new Uint32Array(nVertices + 1);
  const place = v => [0, 1, 2].map(d => low[d] + part.step * steps[3 * v + d]);
  for (let t = 0; t < nTriangles; ++t) {
    const [a, b, c] = [0, 1, 2].map(i => place(corners[3 * t + i]));
    areas.set(cross(plus(b, a, -1), plus(c, a, -1)), 3 * t);
  }
  for (const v of corners) ++first[v + 1];
  for (let v = 0; v < nVertices; ++v) first[v + 1] += first[v];
  const around = new Uint32Array(corners.length), next = first.slice();
  corners.forEach((v, i) => { around[next[v]++] = (i / 3) | 0; });
  const places = new Float64Array(9 * nTriangles), normals = new Float32Array(9 * nTriangles);
  for (let i = 0; i < corners.length; ++i) {
    const v = corners[i], t = 3 * ((i / 3) | 0);
    const own = Math.hypot(areas[t], areas[t + 1], areas[t + 2]);
    let x = 0, y = 0, z = 0;
    for (let k = first[v]; k < first[v + 1]; ++k) {
      const o = 3 * around[k], size = Math.hypot(areas[o], areas[o + 1], areas[o + 2]);
      if (areas[t] * areas[o] + areas[t + 1] * areas[o + 1] + areas[t + 2] * areas[o + 2] < 0.82 * own * size) continue;
      x += areas[o]; y += areas[o + 1]; z += areas[o + 2];
    }
    normals.set(unit([x, y, z]), 3 * i);
    places.set(place(v), 3 * i);
  }
  return {places, normals};
}

// A shaft and a cone around the line from one point to another.
function arrow(from, to, places, normals) {
  const along = plus(to, from, -1), length = Math.hypot(...along), axis = unit(along);
  const side = unit(cross(axis, Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0])), other = cross(axis, side);
  const n = 12, neck = plus(from, axis, 0.62 * length);
  const ring = (centre, radius, k) => {
    const angle = 2 * Math.PI * k / n;
    return plus(plus(centre, side, radius * Math.cos(angle)), other, radius * Math.sin(angle));
  };
  const triangle = (...points) => {
    const normal = unit(cross(plus(points[1], points[0], -1), plus(points[2], points[0], -1)));
    for (const p of points) { places.push(...p); normals.push(...normal); }
  };
  for (let k = 0; k < n; ++k) {
    const [a, b, c, d] = [ring(from, 0.045 * length, k), ring(from, 0.045 * length, k + 1),
      ring(neck, 0.045 * length, k + 1), ring(neck, 0.045 * length, k)];
    triangle(a, b, c); triangle(a, c, d);
    const [e, f] = [ring(neck, 0.14 * length, k), ring(neck, 0.14 * length, k + 1)];
    triangle(e, f, to); triangle(neck, f, e);
  }
}

const VERTEX = `#version 300 es
in vec3 place, normal; uniform mat3 view; uniform vec3 scale; uniform vec2 pan; uniform float nearer, size;
out vec3 facing;
void main() { vec3 p = view * place; facing = view * normal;
  gl_Position = vec4(p.xy * scale.xy + pan, -p.z * scale.z - nearer, 1.); gl_PointSize = size; }`;
const FRAGMENT = `#version 300 es
precision highp float; in vec3 facing; uniform vec3 colour; uniform float alpha; uniform int kind; out vec4 result;
void main() { float light = 1.;
  if (kind == 0) { vec3 n = normalize(facing); if (!gl_FrontFacing) n = -n;
    light = 0.42 + 0.5 * max(dot(n, vec3(-0.31, 0.52, 0.79)), 0.) + 0.14 * max(dot(n, vec3(0.8, -0.2, 0.56)), 0.); }
  if (kind == 1) { float r = length(gl_PointCoord - 0.5); if (r > 0.5) discard; if (r > 0.38) light = 0.6; }
  result = vec4(colour * light * alpha, alpha); }`;

// groups: [{kind: 0 triangles, 1 spots, 2 lines, places, normals, colour, size, shown, alpha: 1 opaque, front: before all others}],
// those to be seen through last. Throws where there is no WebGL 2.
// reach: points that fit into the picture around the centre.
function makeViewer(canvas, axes, centre, reach, up, groups, view, changed) {
  const gl = canvas.getContext('webgl2', {antialias: true});
  if (!gl) throw new Error('This browser has no WebGL 2, which draws the part.');
  const program = gl.createProgram();
  for (const [type, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, text); gl.compileShader(shader); gl.attachShader(program, shader);
  }
  gl.bindAttribLocation(program, 0, 'place'); gl.bindAttribLocation(program, 1, 'normal');
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  gl.useProgram(program); gl.enable(gl.DEPTH_TEST); gl.enable(gl.BLEND); gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  const at = name => gl.getUniformLocation(program, name);
  for (const group of groups) {
    group.array = gl.createVertexArray(); gl.bindVertexArray(group.array);
    for (const [index, values] of [[0, group.places], [1, group.normals]]) {
      if (!values) continue;
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      // about the centre: single precision is too coarse far from the origin
      const numbers = index === 0 ? Float32Array.from(values, (v, i) => v - centre[i % 3]) : new Float32Array(values);
      gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(index); gl.vertexAttribPointer(index, 3, gl.FLOAT, false, 0, 0);
    }
  }
  const radius = Math.max(...reach.map(p => Math.hypot(...plus(p, centre, -1)))) || 1;
  // 'up' is 2 for z or 1 for y; the other two follow in the order of the axes
  const turned = ([a, b, c]) => up === 2 ? [a, b, c] : [b, c, a];
  const rows = () => {
    const [ca, sa, ce, se] = [Math.cos(view.turn), Math.sin(view.turn), Math.cos(view.tilt), Math.sin(view.tilt)];
    return [turned([-sa, ca, 0]), turned([-se * ca, -se * sa, ce]), turned([ce * ca, ce * sa, se])];
  };
  // half of it on the screen, with a margin
  const extent = row => 1.08 * Math.max(...reach.map(p => Math.abs(dot(row, plus(p, centre, -1)))));
  let scale = 1; // pixels per length
  function draw() {
    const ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
    canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio);
    const [right, top, back] = rows();
    scale = view.zoom * Math.min(w / 2 / extent(right), h / 2 / extent(top));
    gl.viewport(0, 0, canvas.width, canvas.height); gl.depthMask(true); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix3fv(at('view'), false, [0, 1, 2].flatMap(d => [right[d], top[d], back[d]]));
    gl.uniform2f(at('pan'), 2 * view.x / w, 2 * view.y / h);
    for (const group of groups) {
      if (!group.shown) continue;
      gl.bindVertexArray(group.array);
      gl.uniform3fv(at('colour'), group.colour); gl.uniform1i(at('kind'), group.kind);
      gl.uniform3f(at('scale'), 2 * scale / w, 2 * scale / h, (group.front ? 0.02 : 0.9) / radius);
      gl.uniform1f(at('nearer'), group.front ? 0.95 : group.nearer || 0); gl.uniform1f(at('size'), (group.size || 1) * ratio);
      gl.uniform1f(at('alpha'), group.alpha || 1); gl.depthMask(!group.alpha);
      const drawGroup = () => gl.drawArrays([gl.TRIANGLES, gl.POINTS, gl.LINES][group.kind], 0, group.places.length / 3);
      if (!group.alpha) { drawGroup(); continue; }
      gl.enable(gl.CULL_FACE); // of what is seen through, the far side first
      for (const away of [gl.FRONT, gl.BACK]) { gl.cullFace(away); drawGroup(); }
      gl.disable(gl.CULL_FACE);
    }
    const end = (axis, length) => [34 + length * right[axis], 34 - length * top[axis]];
    axes.innerHTML = '<svg width="68" height="68" style="width:68px;height:68px">' + ['x', 'y', 'z'].map((name, d) => {
      const colour = ['#b3261e', '#2b7d3b', '#1f5fb4'][d], [x, y] = end(d, 22), [tx, ty] = end(d, 29);
      return `<line x1="34" y1="34" x2="${x}" y2="${y}" stroke="${colour}" stroke-width="2"/>` +
        `<text x="${tx}" y="${ty + 4}" text-anchor="middle" style="fill:${colour};font-weight:600">${name}</text>`;
    }).join('') + '</svg>';
    changed();
  }
  let waiting = false;
  const redraw = () => { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; draw(); }); } };
  const turn = (dx, dy) => {
    view.turn -= 0.01 * dx; view.tilt = Math.max(-1.5708, Math.min(1.5708, view.tilt + 0.01 * dy)); redraw();
  };
  const zoom = factor => { view.zoom = Math.max(0.2, Math.min(50, view.zoom * factor)); redraw(); };
  const pointers = new Map();
  canvas.addEventListener('pointerdown', e => { pointers.set(e.pointerId, [e.clientX, e.clientY]); canvas.setPointerCapture(e.pointerId); });
  for (const name of ['pointerup', 'pointercancel']) canvas.addEventListener(name, e => pointers.delete(e.pointerId));
  canvas.addEventListener('pointermove', e => {
    const before = pointers.get(e.pointerId);
    if (!before) return;
    const [dx, dy] = [e.clientX - before[0], e.clientY - before[1]];
    const distance = () => { const [a, b] = [...pointers.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]) || 1; };
    const apart = pointers.size === 2 ? distance() : 1;
    pointers.set(e.pointerId, [e.clientX, e.clientY]);
    if (pointers.size === 2) zoom(distance() / apart);
    else if (e.shiftKey || e.buttons & 6) { view.x += dx; view.y -= dy; redraw(); } else turn(dx, dy);
  });
  canvas.addEventListener('contextmenu', e => e.preventDefault());
  // the wheel scrolls the page until the part was clicked at
  canvas.addEventListener('wheel', e => {
    if (document.activeElement === canvas || e.ctrlKey) { e.preventDefault(); zoom(Math.exp(-0.0015 * e.deltaY)); }
  }, {passive: false});
  canvas.addEventListener('keydown', e => {
    const step = {ArrowLeft: [-10, 0], ArrowRight: [10, 0], ArrowUp: [0, -10], ArrowDown: [0, 10]}[e.key];
    if (step) turn(...step); else if (e.key === '+') zoom(1.2); else if (e.key === '-') zoom(1 / 1.2); else return;
    e.preventDefault();
  });
  new ResizeObserver(redraw).observe(canvas);
  return {redraw, zoom};
}

// Fills the stage, the legend and the views. part: low, high, supports, loads. surfaces: groups of the viewer; those with a
// label are in the legend. texts: what the caption begins with, and what stands for a part without surfaces. The view begins
// with what is kept of an earlier one.
function showPart(part, surfaces, nNodes, texts, kept = {}, keep = () => {}) {
  const low = numbersOf(part.low), high = numbersOf(part.high), canvas = byId('part');
  const radius = Math.hypot(...plus(high, low, -1)) / 2 || 1, centre = plus(low, high).map(v => v / 2);
  const rgb = text => [1, 3, 5].map(i => parseInt(text.slice(i, i + 2), 16) / 255);
  const groups = [], legend = byId('legend');
  const add = ({label, colour, ...rest}, className = '') => {
    const group = {shown: true, colour: rgb(colour), ...rest};
    groups.push(group);
    if (!label) return;
    const line = node(legend, 'label'), box = node(line, 'input'), spot = node(line, 'i', '', className);
    box.type = 'checkbox'; box.checked = group.shown; spot.style.background = colour; node(line, 'span', label);
    box.addEventListener('change', () => { group.shown = box.checked; viewer.redraw(); });
  };
  for (const surface of surfaces) add(surface);
  const box = [];
  for (let c = 0; c < 8; ++c)
    for (let d = 0; d < 3; ++d)
      if (!(c >> d & 1)) for (const e of [c, c | 1 << d]) box.push(...[0, 1, 2].map(k => e >> k & 1 ? high[k] : low[k]));
  add({kind: 2, colour: '#a8b3bf', places: box});
  const ofSupports = {'held in x, y and z': '#1d7a3c', 'moved by a given displacement': '#7b3fe4', 'on springs': '#00838f'};
  const addSpots = (s, colour, shown) => add({kind: 1, colour, places: numbersOf(s.places), size: 7, nearer: 0.006, shown,
    label: `${s.name} (${grouped(s.nodes)} ${s.nodes === 1 ? 'node' : 'nodes'})`});
  for (const s of part.supports) addSpots(s, ofSupports[s.name] || '#c79200', s.nodes < 0.1 * nNodes || part.supports.length === 1);
  for (const s of part.names || []) addSpots(s, '#1c2530', false);
  const sizes = [0, 0, 0], reach = [low, high];
  for (let c = 1; c < 7; ++c) reach.push([0, 1, 2].map(d => c >> d & 1 ? high[d] : low[d]));
  part.loads.forEach((load, k) => {
    const colour = part.loads.length === 1 ? '#d0271d' : COLOURS[k % COLOURS.length], ofCase = part.loads.length === 1 ? '' : ' of case ' + load.name;
    const arrows = {loads: numbersOf(load.arrows), weight: numbersOf(load.weight)};
    let most = 0;
    for (const numbers of Object.values(arrows))
      for (let i = 3; i < numbers.length; i += 6) most = Math.max(most, Math.hypot(...numbers.slice(i, i + 3)));
    for (const [name, numbers] of Object.entries(arrows)) {
      const places = [], normals = [];
      for (let i = 0; i < numbers.length; i += 6) {
        const at = numbers.slice(i, i + 3), force = numbers.slice(i + 3, i + 6), size = Math.hypot(...force);
        force.forEach((f, d) => { sizes[d] += Math.abs(f); });
        const along = unit(force).map(v => v * radius * (0.1 + 0.11 * Math.sqrt(size / most)));
        // a force into the part ends there, one out of it begins there
        const from = dot(force, plus(centre, at, -1)) >= 0 ? plus(at, along, -1) : at;
        arrow(from, plus(from, along), places, normals);
        reach.push(from, plus(from, along));
      }
      // the weight acts inside the part, and is seen through it
      if (places.length > 0) add({kind: 0, colour, places, normals, nearer: 0.004, front: name === 'weight', label: name + ofCase}, 'arrow');
    }
  });
  groups.sort((a, b) => (b.alpha || 1) - (a.alpha || 1));
  // flat parts are looked at from their face; else what the loads act along is upright
  const [dx, dy, dz] = plus(high, low, -1), isFlat = dz < 0.34 * Math.min(dx, dy);
  const up = isFlat || sizes[1] > sizes[2] && !(dy < 0.34 * Math.min(dx, dz)) ? 1 : 2;
  const start = up === 1 ? {turn: isFlat ? 0.35 : 0.6, tilt: isFlat ? 0.25 : 0.4} : {turn: -1.05, tilt: 0.42};
  const view = {...start, zoom: 1, x: 0, y: 0, ...kept};
  let viewer = {redraw() {}, zoom() {}};
  try {
    viewer = makeViewer(canvas, byId('axes'), centre, reach, up, groups, view, () => keep(view));
  } catch (error) {
    byId('nothing').hidden = false; byId('nothing').textContent = error.message;
    return;
  }
  const button = (text, turn, tilt) => node(byId('views'), 'button', text).addEventListener('click', () => {
    Object.assign(view, {turn, tilt, zoom: 1, x: 0, y: 0}); viewer.redraw();
  });
  button('oblique', start.turn, start.tilt);
  if (up === 2) { button('along x', 0, 0); button('along y', -Math.PI / 2, 0); button('along z', -Math.PI / 2, Math.PI / 2); }
  else { button('along x', Math.PI / 2, 0); button('along y', 0, Math.PI / 2); button('along z', 0, 0); }
  for (const [text, factor] of [['+', 1.25], ['−', 0.8]]) {
    const made = node(byId('views'), 'button', text);
    made.setAttribute('aria-label', factor > 1 ? 'larger' : 'smaller');
    made.addEventListener('click', () => viewer.zoom(factor));
  }
  if (surfaces.length === 0) { byId('nothing').hidden = false; byId('nothing').textContent = texts.nothing; }
  byId('caption').textContent = texts.what + 'Drag to turn, shift and drag to move, click and scroll to zoom. ' +
    `The box is ${numberText(dx)} by ${numberText(dy)} by ${numberText(dz)}.` +
    (part.supports.length + part.loads.length > 0 ? ' Spots and arrows are some of all; long arrows are large forces.' : '');
  viewer.redraw();
}
