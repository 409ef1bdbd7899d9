// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Fills the page that compares two runs. Texts of the runs come in by textContent alone, never as HTML.
'use strict';

const data = JSON.parse(byId('data').textContent);

// Rows of [name, A, B, difference]: what differs has a colour.
function fillTable(table, rows) {
  if (rows.length === 0) { node(node(table, 'tr'), 'td', 'No entry differs.'); return; }
  const head = node(table, 'tr');
  for (const text of ['', 'A', 'B', 'difference']) node(head, 'th', text);
  for (const row of rows) {
    const line = node(table, 'tr', undefined, row[3] ? 'different' : '');
    row.forEach((text, k) => node(line, 'td', text, k === 3 ? 'number' : ''));
  }
}

byId('name').textContent = 'Two runs';
byId('runs').textContent = `A: ${data.a}. B: ${data.b}.`;
byId('designs').textContent = data.designs;
fillTable(byId('sides'), data.facts);
fillTable(byId('entries'), data.deck);
const all = [];
for (const column of data.columns) {
  const spread = values => values.find(v => v !== null) / values.findLast(v => v !== null);
  addCurves(byId('curves'), all, {title: column.name.replaceAll('_', ' '), unit: '', iterations: data.iterations,
    series: [{name: 'A', values: column.a}, {name: 'B', values: column.b}],
    log: /change|kkt|residual/i.test(column.name) || spread(column.a) > 20 || spread(column.b) > 20});
}
