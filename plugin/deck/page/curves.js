// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Curves over the iterations: one figure for each quantity; the pointer shows the values of one iteration in all of them.
'use strict';

// Round numbers from low to high, about n of them.
function ticks(low, high, n, whole = false) {
  const rough = (high - low) / n || 1, power = 10 ** Math.floor(Math.log10(rough));
  let step = power * [1, 2, 5, 10].find(m => m * power >= rough * 0.999);
  if (whole) step = Math.max(1, Math.round(step));
  const list = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) list.push(Number((k * step).toPrecision(12)));
  return list;
}

// Round numbers between two for a logarithmic axis: powers of ten, or more where there are few.
function logTicks(low, high) {
  const between = (digits, step) => {
    const list = [];
    for (let k = Math.floor(Math.log10(low)); k <= Math.log10(high); k += step)
      for (const m of digits) if (m * 10 ** k >= low * 0.999 && m * 10 ** k <= high * 1.001) list.push(Number(`${m}e${k}`));
    return list;
  };
  const span = Math.log10(high / low);
  const lists = [between([1], Math.max(1, Math.ceil(span / 5))), between([1, 2, 5], 1), between([1, 1.5, 2, 3, 4, 6, 8], 1)];
  return lists.find(list => list.length > 1) || lists[2];
}

function svgNode(parent, name, attributes, text) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
}

// series: [{name, values}]; limits: [{text, value}]; iterations: ascending. log: where the values allow it. leastSpan: of the axis
function addCurves(host, all, {title, unit, iterations, series, limits = [], log = false, leastSpan = 0}) {
  const figure = document.createElement('figure'), caption = document.createElement('figcaption');
  const legend = document.createElement('ul'), side = document.createElement('span');
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('role', 'img'); svg.setAttribute('aria-label', title + ' over the iterations');
  caption.append(title, side); figure.append(caption, legend, svg); host.append(figure);
  const entries = series.map((s, i) => {
    const item = document.createElement('li'), key = document.createElement('i'), value = document.createElement('b');
    key.style.background = COLOURS[i % COLOURS.length];
    item.append(key, series.length > 1 ? s.name + ' ' : '', value); legend.append(item);
    return value;
  });
  for (const limit of limits) {
    const item = document.createElement('li');
    item.textContent = '- - ' + limit.text; legend.append(item);
  }
  const values = series.flatMap(s => s.values).concat(limits.map(l => l.value)).filter(Number.isFinite);
  const isLog = log && values.length > 0 && values.every(v => v > 0);
  const level = isLog ? Math.log10 : x => x;
  let low = values.reduce((a, b) => Math.min(a, level(b)), Infinity), high = values.reduce((a, b) => Math.max(a, level(b)), -Infinity);
  if (!(low <= high)) [low, high] = [0, 1];
  const least = isLog ? 0.3 : leastSpan || 1e-3 * Math.max(Math.abs(low), Math.abs(high)) || 1; // no noise over the whole height
  if (high - low < least) [low, high] = [(low + high - least) / 2, (low + high + least) / 2];
  const pad = 0.06 * (high - low);
  [low, high] = [!isLog && low >= 0 ? Math.max(0, low - pad) : low - pad, high + pad];
  const height = 190, bottom = height - 34, top = 10;
  let left = 52, width = 340, lines = null;
  const from = iterations[0], to = Math.max(iterations[iterations.length - 1], from + 1);
  const x = i => left + (width - left - 12) * (i - from) / (to - from);
  const y = value => bottom - (bottom - top) * (level(value) - low) / (high - low);

  function draw() {
    width = Math.max(220, figure.clientWidth - 22);
    svg.replaceChildren(); svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    const marks = isLog ? logTicks(10 ** low, 10 ** high) : ticks(low, high, 4);
    const texts = marks.map(numberText);
    left = 12 + 6.3 * Math.max(4, ...texts.map(t => t.length));
    marks.forEach((v, k) => {
      svgNode(svg, 'line', {class: 'grid', x1: left, x2: width - 12, y1: y(v), y2: y(v)});
      svgNode(svg, 'text', {x: left - 6, y: y(v) + 4, 'text-anchor': 'end'}, texts[k]);
    });
    for (const i of ticks(from, to, Math.max(3, width / 80), true)) {
      svgNode(svg, 'line', {class: 'axis', x1: x(i), x2: x(i), y1: bottom, y2: bottom + 4});
      svgNode(svg, 'text', {x: x(i), y: bottom + 16, 'text-anchor': 'middle'}, i);
    }
    svgNode(svg, 'path', {class: 'axis', fill: 'none', d: `M${left} ${top}V${bottom}H${width - 12}`});
    svgNode(svg, 'text', {x: (left + width - 12) / 2, y: height - 4, 'text-anchor': 'middle'}, 'iteration');
    for (const limit of limits) svgNode(svg, 'line', {class: 'limit', x1: left, x2: width - 12, y1: y(limit.value), y2: y(limit.value)});
    series.forEach((s, k) => {
      let path = '', isOpen = false;
      s.values.forEach((v, i) => {
        if (Number.isFinite(v)) path += `${isOpen ? 'L' : 'M'}${x(iterations[i]).toFixed(1)} ${y(v).toFixed(1)}`;
        isOpen = Number.isFinite(v);
      });
      const stroke = COLOURS[k % COLOURS.length];
      if (iterations.length === 1 && path) svgNode(svg, 'circle', {cx: x(from), cy: y(s.values[0]), r: 3, fill: stroke});
      svgNode(svg, 'path', {class: 'curve', stroke, d: path});
    });
    lines = svgNode(svg, 'g', {});
  }
  const me = {
    show(row) { // null: the last one
      const i = row === null ? iterations.length - 1 : row;
      side.textContent = `${unit ? unit + ' · ' : ''}iteration ${iterations[i]}`;
      series.forEach((s, k) => { entries[k].textContent = numberText(s.values[i]); });
      lines.replaceChildren();
      if (row === null) return;
      svgNode(lines, 'line', {class: 'hover', x1: x(iterations[i]), x2: x(iterations[i]), y1: top, y2: bottom});
      series.forEach((s, k) => {
        if (Number.isFinite(s.values[i]))
          svgNode(lines, 'circle', {cx: x(iterations[i]), cy: y(s.values[i]), r: 3.5, fill: COLOURS[k % COLOURS.length]});
      });
    }
  };
  const point = e => {
    const box = svg.getBoundingClientRect();
    const wanted = from + (to - from) * ((e.clientX - box.left) * width / box.width - left) / (width - left - 12);
    let row = 0;
    iterations.forEach((i, k) => { if (Math.abs(i - wanted) < Math.abs(iterations[row] - wanted)) row = k; });
    for (const one of all) one.show(row);
  };
  svg.addEventListener('pointermove', point); svg.addEventListener('pointerdown', point);
  svg.addEventListener('pointerleave', () => { for (const one of all) one.show(null); });
  draw(); all.push(me); me.show(null);
  new ResizeObserver(() => { if (Math.abs(figure.clientWidth - 22 - width) > 1) { draw(); me.show(null); } }).observe(figure);
}
