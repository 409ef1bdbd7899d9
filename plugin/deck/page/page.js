// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Fills the page with the run. Texts of the deck come in by textContent alone, never as HTML.
'use strict';

const run = JSON.parse(byId('summary').textContent), data = JSON.parse(byId('data').textContent);
const isRunning = run.status === 'running';

const capital = text => text[0] === undefined ? '' : text[0].toUpperCase() + text.slice(1);
const bytesText = n => { let k = 0; while (n >= 1000 && k < 4) { n /= 1000; ++k; } return numberText(Number(n.toPrecision(3))) + ' ' + ['B', 'kB', 'MB', 'GB', 'TB'][k]; };
const secondsText = s => s < 100 ? numberText(Number(s.toPrecision(3))) + ' s' : s < 6000 ? Math.round(s / 60) + ' min' : (s / 3600).toFixed(1) + ' h';

function fillHead() {
  byId('name').textContent = data.name;
  const words = {running: 'Running', converged: 'Converged', 'iteration limit': 'Reached its limit of iterations', ended: 'Ended',
    interrupted: 'Stopped by a signal', failed: 'Failed'};
  const since = run.iterations > 0 ? `after iteration ${run.iterations}` : 'in the first iteration';
  byId('status').textContent = `${words[run.status]} ${since}. Written ${run.label.date} by strut ${run.label.strut}.`;
  const facts = byId('facts');
  const fact = (name, value) => { const box = node(facts, 'div'); node(box, 'b', value); node(box, 'span', name); };
  if (run.objective.value !== null) fact(run.objective.name, numberText(run.objective.value));
  if (run['volume fraction'].got !== null)
    fact('volume fraction' + (data['limits volume'] ? ` (deck: ${numberText(run['volume fraction'].asked)})` : ''), numberText(run['volume fraction'].got));
  if (run.greyness !== null) fact('greyness', numberText(run.greyness));
  if (run.pieces !== null) fact(run.pieces.number === 1 ? 'piece' : 'pieces', run.pieces.number);
  for (const place of ['corners', 'centres']) {
    const stresses = run['load cases'].map((c) => c['largest von Mises stress at ' + place]).filter((s) => s !== null);
    if (stresses.length > 0) fact('largest von Mises stress at ' + place, numberText(Math.max(...stresses)));
  }
  fact('elements', grouped(run.sizes.elements));
  fact('degrees of freedom', grouped(run.sizes['degrees of freedom']));
  fact(`${run.sizes.ranks === 1 ? '1 rank' : run.sizes.ranks + ' ranks'}, ${run.label.backend}`, secondsText(run.seconds.total));
  fact('PCG iterations', grouped(run.solver.iterations));
  if (run.error !== null) { byId('error').hidden = false; byId('error').querySelector('pre').textContent = run.error; }
  byId('notes').hidden = run.notes.length === 0;
  for (const note of run.notes) node(byId('notes').querySelector('ul'), 'li', /^[a-z]+ /.test(note) ? capital(note) : note, note.startsWith('WARNING') ? 'warning' : '');
}

function fillCurves() {
  const rows = data.history.trim().split('\n').slice(1).map(line => line.split(',').map(Number));
  const host = byId('curves'), all = [];
  if (rows.length === 0) { node(host, 'p', 'There is no iteration yet.', 'hint'); return; }
  const iterations = rows.map(row => row[0]), column = c => rows.map(row => row[c]), n = data.columns.length;
  const add = settings => addCurves(host, all, {iterations, ...settings});
  const nCases = rows[0].length - 6 - n;
  const objective = column(1);
  const spread = objective[0] / objective[objective.length - 1];
  add({title: 'Objective: ' + run.objective.name, unit: 'units of the deck', series: [{name: 'objective', values: objective}],
    log: spread > 20});
  if (nCases > 0)
    add({title: capital(run.objective.name) + ' of each load case', unit: 'units of the deck',
      series: run['load cases'].slice(0, 8).map((c, k) => ({name: c.name, values: column(6 + n + k)}))});
  add({title: 'Volume fraction', unit: '', series: [{name: 'volume fraction', values: column(2)}],
    leastSpan: 0.01, limits: data['limits volume'] ? [{text: 'deck: ' + numberText(run['volume fraction'].asked), value: run['volume fraction'].asked}] : []});
  data.columns.forEach((c, k) => {
    const values = column(3 + k), name = c.name.replaceAll('_', ' ');
    if (c.constraint)
      add({title: 'Constraint ' + c.name, unit: 'units of the deck', series: [{name, values}],
        limits: data.limits.filter(l => c.name === l.name || c.name.startsWith(l.name + ' ')).slice(0, 1)});
    else if (c.shown)
      add({title: name === 'kkt' ? 'Norm of the KKT residual' : capital(name), unit: '', series: [{name, values}], log: /change|kkt|residual/i.test(name)});
  });
  add({title: 'PCG iterations', unit: nCases > 0 ? 'all load cases' : '', leastSpan: 4, series: [{name: 'PCG iterations', values: column(3 + n)}]});
  add({title: 'Largest relative residual', unit: '', series: [{name: 'residual', values: column(4 + n)}], log: true});
  add({title: 'Wall time of an iteration', unit: 's', series: [{name: 'seconds', values: column(5 + n)}]});
}

function fillTimes() {
  const table = node(byId('times'), 'table'), total = run.seconds.total || 1;
  Object.entries(run.seconds).filter(([name]) => name !== 'total').sort((a, b) => b[1] - a[1]).forEach(([name, seconds]) => {
    if (seconds < 0.001 * total) return;
    const row = node(table, 'tr');
    node(row, 'td', name);
    node(node(row, 'td'), 'div', '', 'bar').style.width = 100 * seconds / total + '%';
    node(row, 'td', (100 * seconds / total).toFixed(1) + ' %', 'number'); node(row, 'td', secondsText(seconds), 'number');
  });
}

function fillLabel() {
  const row = (name, value) => { const tr = node(byId('label'), 'tr'); node(tr, 'td', name); node(tr, 'td', value); };
  Object.entries(run.label).forEach(([name, value]) => row(name, value));
  row('threads per rank', run.sizes['threads per rank']);
  row('memory of the backend', bytesText(run['peak memory in bytes'].backend));
  if (run['peak memory in bytes'].host > 0) row('memory of the host', bytesText(run['peak memory in bytes'].host));
  row('deck', [run.deck.file, ...run.deck.options].join('  '));
  byId('deck').querySelector('pre').textContent = data.deck;
}

function fillPart() {
  const part = data.part, surface = shaded(part, numbersOf(part.low)), triangles = surface.places.length / 9;
  const key = 'strut view of ' + location.pathname;
  let kept = {};
  if (isRunning) try { kept = JSON.parse(sessionStorage.getItem(key) || '{}'); } catch (e) { /* begins anew */ }
  const keep = view => { if (isRunning) try { sessionStorage.setItem(key, JSON.stringify(view)); } catch (e) { /* stays unknown */ } };
  showPart(part, triangles > 0 ? [{kind: 0, colour: '#adbfd4', ...surface}] : [], run.sizes.nodes, {
    what: triangles === 0 ? '' : (part.iteration > 0 ? `The closed surface of the design of iteration ${part.iteration}` : 'The domain, before the first design') +
      `, ${grouped(triangles)} triangles. `,
    nothing: part.reason ? part.reason : isRunning ? 'The part is drawn here as soon as there is a design.' : 'There is no material to draw.'
  }, kept, keep);
}

fillHead(); fillCurves(); fillTimes(); fillLabel(); fillPart();
if (isRunning) {
  const line = node(byId('views'), 'label'), box = node(line, 'input'), key = 'strut reloads';
  box.type = 'checkbox'; node(line, 'span', ' renew this page every 10 s while the run goes on');
  try { box.checked = sessionStorage.getItem(key) !== 'no'; } catch (e) { box.checked = true; }
  box.addEventListener('change', () => { try { sessionStorage.setItem(key, box.checked ? 'yes' : 'no'); } catch (e) { /* asked again */ } });
  setInterval(() => { if (box.checked) location.reload(); }, 10000);
}
