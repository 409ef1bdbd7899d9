// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// What the scripts of all pages use.
'use strict';

const COLOURS = ['#1f6fb4', '#c8501c', '#2b7d3b', '#7b4bb3', '#b08900', '#0f8a94', '#b3316f', '#5d6875'];

// Six digits, without zeros at the end.
function numberText(value) {
  if (!Number.isFinite(value)) return 'none';
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || size < 1e-4)) return value.toExponential(4).replace(/\.?0+e/, 'e').replace('e+', 'e');
  return String(Number(value.toPrecision(6)));
}

const grouped = n => n.toLocaleString('en-US');
const byId = id => document.getElementById(id);

function node(parent, tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  parent.append(made);
  return made;
}
