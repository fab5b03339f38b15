'use strict';
// The report's data is in #data; nothing is fetched. Long lists draw only the rows in view.
const D = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
const ROW = 20, EVERY = 200;
const el = (tag, cls, text) => { const e = document.createElement(tag); if (cls) e.className = cls; if (text !== undefined) e.textContent = text; return e; };

// ---- a list of which only the visible rows exist
class List {
  constructor(box, count, draw) { this.box = box; this.draw = draw; this.pad = el('div'); box.append(this.pad); this.rows = new Map(); this.set(count); box.addEventListener('scroll', () => this.paint()); new ResizeObserver(() => this.paint()).observe(box); }
  set(count) { this.count = count; this.pad.style.height = count * ROW + 'px'; this.clear(); }
  clear() { for (const r of this.rows.values()) r.remove(); this.rows.clear(); this.paint(); }
  paint() {
    const from = Math.max(0, Math.floor(this.box.scrollTop / ROW) - 10);
    const to = Math.min(this.count, Math.ceil((this.box.scrollTop + this.box.clientHeight) / ROW) + 10);
    for (const [i, r] of this.rows) if (i < from || i >= to) { r.remove(); this.rows.delete(i); }
    for (let i = from; i < to; i++) if (!this.rows.has(i)) { const r = this.draw(i); r.classList.add('row'); r.style.top = i * ROW + 'px'; this.rows.set(i, r); this.box.append(r); }
  }
  show(i) {
    const top = i * ROW, box = this.box;
    if (top < box.scrollTop + ROW || top > box.scrollTop + box.clientHeight - 2 * ROW) box.scrollTop = Math.max(0, top - box.clientHeight / 2);
    this.clear();
  }
}

// ---- source
const files = D.files.map(f => ({ name: f.name, lines: f.text.split('\n'), facts: new Map() }));
for (const f of D.facts) { const m = files[f.file].facts; if (!m.has(f.line)) m.set(f.line, []); m.get(f.line).push(f); }
const trace = D.trace, visited = new Map();
trace.forEach((r, i) => { const k = r.file + ':' + r.line; if (!visited.has(k)) visited.set(k, []); visited.get(k).push(i); });
let file = 0, now = trace.length - 1, frame = -1;
const onPath = new Set();
const source = new List($('source'), 0, i => {
  const f = files[file], row = el('div'), line = i + 1, facts = f.facts.get(line) || [], hits = visited.get(file + ':' + line);
  row.append(el('span', 'n', line), document.createTextNode(f.lines[i]));
  for (const x of facts) row.append(el('span', x.bad ? 'f wrong' : 'f', '    ' + x.text));
  if (onPath.size ? onPath.has(file + ':' + line) : hits) row.classList.add('hit');
  if (facts.some(x => x.bad)) row.classList.add('bad');
  const t = trace[now];
  if (t && t.file === file && t.line === line) row.classList.add('now');
  if (hits) row.addEventListener('click', () => go(hits.find(h => h > now) ?? hits[0]));
  row.title = hits ? hits.length + ' steps here; click for the next' : '';
  return row;
});
function open(f) { file = f; $('file').value = f; source.set(files[f].lines.length); }
files.forEach((f, i) => { const o = el('option', '', f.name); o.value = i; $('file').append(o); });
$('file').addEventListener('change', e => open(+e.target.value));

// ---- state: replayed from the nearest checkpoint
const points = [];
const fresh = () => ({ frames: [{ function: D.entry, vars: new Map() }], globals: new Map(), objects: new Map(), changed: new Set() });
const copy = s => ({ frames: s.frames.map(f => ({ function: f.function, vars: new Map(f.vars) })), globals: new Map(s.globals), objects: new Map([...s.objects].map(([k, o]) => [k, { ...o, parts: new Map(o.parts) }])), changed: new Set() });
function object(s, id) { if (!s.objects.has(id)) s.objects.set(id, { name: D.objects[id] || '', heap: false, dead: false, parts: new Map() }); return s.objects.get(id); }
function apply(s, row) {
  s.changed = new Set();
  for (const e of row.effects) {
    const top = s.frames[s.frames.length - 1];
    if (e.do === 'enter') s.frames.push({ function: e.function, vars: new Map() });
    else if (e.do === 'leave') { if (s.frames.length > 1) s.frames.pop(); }
    else if (e.do === 'set') { (e.global ? s.globals : top.vars).set(e.name, { value: e.value, to: e.to }); s.changed.add((e.global ? 'g:' : 'l:') + e.name); }
    else if (e.do === 'make') Object.assign(object(s, e.object), { name: e.name, heap: e.heap, dead: false });
    else if (e.do === 'part') { object(s, e.object).parts.set(e.part, { value: e.value, to: e.to }); s.changed.add('o:' + e.object + e.part); }
    else if (e.do === 'end') object(s, e.object).dead = true;
  }
}
function state(i) {
  const k = Math.floor((i + 1) / EVERY);
  while (points.length <= k) {
    const n = points.length;
    if (n === 0) { points.push(fresh()); continue; }
    const s = copy(points[n - 1]);
    for (let j = (n - 1) * EVERY; j < n * EVERY; j++) apply(s, trace[j]);
    points.push(s);
  }
  const s = copy(points[k]);
  for (let j = k * EVERY; j <= i; j++) apply(s, trace[j]);
  return s;
}

// ---- trace
const list = new List($('trace'), trace.length, i => {
  const r = trace[i], row = el('div');
  row.append(el('span', 'n', r.line || ''), document.createTextNode('  '.repeat(Math.min(r.depth, 20)) + (r.enters ? '→ ' : r.returned ? '← ' : '') + r.source));
  if (r.facts.length) row.append(el('span', 'f', '    ' + r.facts.join(', ')));
  if (!r.matters || !r.facts.length && !r.enters) row.classList.add('dim');
  if (i === trace.length - 1) row.classList.add('bad');
  if (i === now) row.classList.add('now');
  row.addEventListener('click', () => go(i));
  return row;
});
function variables(title, vars, mark) {
  const box = el('div'); box.append(el('h3', '', title));
  const t = el('table');
  for (const [name, v] of vars) { const tr = el('tr'); tr.append(el('td', '', name)); const td = el('td', '', v.value); if (mark && mark.has(name)) td.className = 'changed'; tr.append(td); t.append(tr); }
  box.append(t); return box;
}
function go(i) {
  if (!trace.length) return;
  now = Math.max(0, Math.min(trace.length - 1, i)); frame = -1;
  const r = trace[now];
  if (r.file !== null && r.file !== file) open(r.file);
  if (r.line) source.show(r.line - 1);
  list.show(now); drawState();
  $('step').textContent = 'step ' + (now + 1) + ' of ' + trace.length;
  $('place').textContent = r.function ? 'in ' + r.function : '';
  try { history.replaceState(null, '', '#step' + (now + 1)); } catch (e) { /* a page without a history */ }
}
function drawState() {
  const s = state(now), at = frame < 0 ? s.frames.length - 1 : Math.min(frame, s.frames.length - 1);
  const stack = $('stack'); stack.replaceChildren(el('h3', '', 'calls'));
  for (let i = s.frames.length - 1; i >= 0; i--) { const d = el('div', 'frame' + (i === at ? ' on' : ''), s.frames[i].function); d.addEventListener('click', () => { frame = i; drawState(); }); stack.append(d); }
  const names = p => new Set([...s.changed].filter(x => x.startsWith(p)).map(x => x.slice(2)));
  $('vars').replaceChildren(variables('variables of ' + s.frames[at].function, s.frames[at].vars, at === s.frames.length - 1 ? names('l:') : null), variables('global', s.globals, names('g:')));
  drawMemory(s, at);
}

// ---- memory: boxes with fields, arrows where a field or variable points
const SVG = 'http://www.w3.org/2000/svg';
const svg = (tag, attrs, text) => { const e = document.createElementNS(SVG, tag); for (const k in attrs) e.setAttribute(k, attrs[k]); if (text !== undefined) e.textContent = text; return e; };
// One a picture: a marker in a panel that is hidden draws nothing.
let heads = 0;
function arrowHead() { const d = svg('defs', {}), m = svg('marker', { id: 'head' + ++heads, viewBox: '0 0 8 8', refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' }); m.append(svg('path', { d: 'M0 0L8 4L0 8z', class: 'head' })); d.append(m); return d; }
function drawMemory(s, at) {
  const box = $('memory'), shown = [...s.objects].filter(([, o]) => o.parts.size || o.heap).slice(-40);
  box.replaceChildren();
  if (!shown.length) return;
  box.append(el('h3', '', 'memory'));
  const place = new Map(); let y = 4, width = 0; const g = svg('svg', {}); g.append(arrowHead());
  const pointers = [...s.frames[at].vars, ...s.globals].filter(([, v]) => v.to !== undefined && shown.some(([id]) => id === v.to));
  for (const [id, o] of shown) { const parts = [...o.parts].slice(0, 12); place.set(id, { x: 150, y, parts, o }); y += 18 * (parts.length + 1) + 14; }
  for (const [id, p] of place) {
    const w = 60 + 7.5 * Math.max(p.o.name.length, ...p.parts.map(([n, v]) => (n + ' = ' + v.value).length));
    p.w = w; width = Math.max(width, p.x + w + 60);
    g.append(svg('rect', { x: p.x, y: p.y, width: w, height: 18 * (p.parts.length + 1) + 4, rx: 4, class: 'box' + (p.o.dead ? ' dead' : '') }));
    g.append(svg('text', { x: p.x + 6, y: p.y + 14 }, p.o.name + (p.o.dead ? '  (freed)' : '')));
    p.parts.forEach(([n, v], i) => { const t = svg('text', { x: p.x + 14, y: p.y + 32 + 18 * i }, n + ' = ' + (place.has(v.to) ? '●' : v.value)); if (s.changed.has('o:' + id + n)) t.setAttribute('style', 'fill:var(--unsafe)'); g.append(t); });
  }
  for (const p of place.values()) p.parts.forEach(([, v], i) => { const to = place.get(v.to); if (!to) return; const x = p.x + p.w, y1 = p.y + 27 + 18 * i, y2 = to.y + 9, bend = x + 25 + 8 * (i % 3); g.append(svg('path', { d: `M${x - 8} ${y1}C${bend + 20} ${y1} ${bend + 20} ${y2} ${to.x + to.w} ${y2}`, class: 'arrow', 'marker-end': `url(#head${heads})` })); });
  pointers.forEach(([n, v], i) => { const to = place.get(v.to), yv = 16 + 18 * i; g.append(svg('text', { x: 2, y: yv }, n), svg('path', { d: `M${8 + 7.5 * n.length} ${yv - 4}L${to.x} ${to.y + 9}`, class: 'arrow', 'marker-end': `url(#head${heads})` })); });
  g.setAttribute('width', width); g.setAttribute('height', Math.max(y, 18 * pointers.length + 20)); box.append(g);
}

// ---- proof, checks, run
function table(head, rows) {
  const t = el('table', 'list'), h = el('tr'); head.forEach(x => h.append(el('th', '', x))); t.append(h);
  for (const r of rows) { const tr = el('tr', r.go ? 'go' : ''); r.cells.forEach(c => tr.append(el('td', r.cls || '', c))); if (r.go) tr.addEventListener('click', () => look(r.go)); t.append(tr); }
  return t;
}
const where = p => p ? D.files[p.file].name + ':' + p.line : '';
function panels() {
  const proof = $('panel-proof');
  if (D.invariants.length) proof.append(el('h2', '', 'Loop invariants'), table(['loop', 'function', 'holds whenever control is there'], D.invariants.map(i => ({ cells: [where(i.place), i.function, i.text], go: i.place }))));
  if (D.contracts.length) proof.append(el('h2', '', 'Contracts'), table(['function', 'requires', 'ensures'], D.contracts.map(c => ({ cells: [c.function, c.requires, c.ensures], go: c.place }))));
  if (D.assumptions.length) proof.append(el('h2', '', 'What the answer rests on'), table(['place', 'assumption'], D.assumptions.map(a => ({ cells: [where(a.place), a.message], go: a.place }))));
  if (D.notes.length) proof.append(el('h2', '', 'Over-approximated'), table(['place', 'what'], D.notes.map(a => ({ cells: [where(a.place), a.message], go: a.place }))));
  $('panel-checks').append(el('h2', '', D.checks.length + ' checks'), table(['status', 'check', 'place', 'function', 'property', 'CWE', 'reason'], D.checks.map(c => ({ cells: [c.status, c.message, where(c.place), c.function, c.property, c.cwe, c.reason], go: c.place }))));
  $('panel-run').append(el('h2', '', 'Account'), el('pre', '', D.account));
  if (D.log.length) $('panel-run').append(el('h2', '', 'How the search went'), table(['what', 'how often'], D.log.map(l => ({ cells: l }))));
  $('panel-run').append(el('h2', '', 'Statistics'), table(['counter', 'value'], D.statistics.map(s => ({ cells: [s[0], s[1]] }))));
  const graph = $('panel-graph'), pick = el('select');
  D.graphs.forEach((f, i) => { const o = el('option', '', f.name); o.value = i; pick.append(o); });
  const bar = el('div', 'bar'); bar.append(el('span', '', 'control flow of'), pick); const box = el('div', 'scroll');
  graph.append(bar, box); pick.addEventListener('change', () => drawGraph(D.graphs[+pick.value], box));
  if (D.graphs.length) drawGraph(D.graphs[0], box);
}
// How the search went: of each engine its refinements and the tree or graph at its end.
let searchDraw = () => {};
function searchPanel() {
  if (!D.search.length) return;
  const panel = $('panel-search'), bar = el('div', 'bar'), pick = el('select'), said = el('span'), rounds = el('div', 'scroll'), picture = el('div', 'scroll');
  pick.id = 'engine'; rounds.id = 'rounds'; picture.id = 'tree';
  D.search.forEach((r, i) => { const o = el('option', '', (r.engine || 'engine') + (D.search.filter(x => x.engine === r.engine).length > 1 ? ' #' + (i + 1) : '')); o.value = i; pick.append(o); });
  pick.value = D.search.length - 1;
  bar.append(el('span', '', 'search of'), pick, said); panel.append(bar, rounds, picture);
  let chosen = -1, run = null, list = null;
  const lines = path => { let out = '', last = ''; for (const p of path) { const t = (p.file === D.open ? '' : D.files[p.file].name.split('/').pop() + ':') + p.line; if (t !== last) out += (out ? ' → ' : '') + t; last = t; } return out; };
  function choose(i) {
    chosen = i; const path = run.rounds[i].path;
    onPath.clear(); for (const p of path) onPath.add(p.file + ':' + p.line);
    if (path.length) look(path[path.length - 1]);
    source.clear(); list.clear();
  }
  searchDraw = () => {
    if (run === D.search[+pick.value]) { list.paint(); return; }
    run = D.search[+pick.value]; chosen = -1; rounds.replaceChildren();
    said.textContent = run.rounds.length + ' refinements' + (run.nodes.length ? ', ' + run.nodes.length + ' nodes of the ' + run.shape : '') + (run.cut ? ' (the beginning of the search)' : '');
    list = new List(rounds, run.rounds.length, i => {
      const r = run.rounds[i], row = el('div'), facts = r.facts.map(([p, t]) => (p ? 'at ' + p.line + ': ' : '') + t);
      if (r.unsaid) facts.push('a fact about the layout of memory');
      row.append(el('span', 'n', i + 1), el('span', r.end === 'an error' ? 'unsafe' : '', (r.title ? r.title + '  ' : '') + (r.path.length ? lines(r.path) + '  ' : '') + r.end));
      if (facts.length) row.append(el('span', 'f', '    ' + facts.join('   ')));
      if (i === chosen) row.classList.add('now');
      row.addEventListener('click', () => choose(i)); row.title = facts.join('\n');
      return row;
    });
    drawTree(run, picture);
  };
  pick.addEventListener('change', () => searchDraw());
}
// A tree from above, leaves side by side, covers dashed; graphs in layers by distance from their first node.
function drawTree(run, box) {
  box.replaceChildren(); const n = run.nodes.length; box.style.display = n ? '' : 'none'; if (!n) return;
  const kids = run.nodes.map(() => []), depth = new Array(n).fill(-1), x = new Array(n).fill(0), has = new Array(n).fill(false);
  for (const [a, b] of run.edges) { kids[a].push(b); has[b] = true; }
  let leaves = 0, deep = 0; const roots = run.nodes.map((_, i) => i).filter(i => !has[i]); if (!roots.length) roots.push(0);
  if (run.shape === 'tree') for (const root of roots) {
    const work = [[root, 0, false]];
    while (work.length) {
      const [v, d, done] = work.pop();
      if (done) { x[v] = kids[v].length ? (x[kids[v][0]] + x[kids[v][kids[v].length - 1]]) / 2 : leaves++; continue; }
      depth[v] = d; deep = Math.max(deep, d); work.push([v, d, true]); for (let i = kids[v].length - 1; i >= 0; i--) work.push([kids[v][i], d + 1, false]);
    }
  } else {
    const wide = [], work = [...roots]; for (const r of roots) depth[r] = 0;
    while (work.length) { const v = work.shift(), d = depth[v]; x[v] = wide[d] = (wide[d] ?? -1) + 1; leaves = Math.max(leaves, x[v] + 1); deep = Math.max(deep, d); for (const k of kids[v]) if (depth[k] < 0) { depth[k] = d + 1; work.push(k); } }
  }
  const at = i => [34 + 58 * x[i], 26 + 46 * depth[i]], g = svg('svg', { width: 58 * Math.max(leaves, 1) + 90, height: 46 * deep + 60 }); g.append(arrowHead());
  for (const [a, b] of run.edges) { if (depth[a] < 0 || depth[b] < 0) continue; const [x1, y1] = at(a), [x2, y2] = at(b); g.append(svg('path', { d: y2 > y1 ? `M${x1} ${y1 + 10}L${x2} ${y2 - 10}` : `M${x1 + 20} ${y1}C${x1 + 60} ${y1} ${x2 + 60} ${y2} ${x2 + 20} ${y2}`, class: 'edge', 'marker-end': `url(#head${heads})` })); }
  for (const [a, b] of run.covers) { const [x1, y1] = at(a), [x2, y2] = at(b); g.append(svg('path', { d: `M${x1 + 20} ${y1}C${x1 + 50} ${y1} ${x2 + 50} ${y2} ${x2 + 20} ${y2}`, class: 'cover', 'marker-end': `url(#head${heads})` })); }
  run.nodes.forEach((v, i) => {
    if (depth[i] < 0) return; const [cx, cy] = at(i), b = svg('g', { class: 'node' });
    b.append(svg('rect', { x: cx - 20, y: cy - 10, width: 40, height: 20, rx: 6, class: 'box' + (v.error ? ' error' : '') + (v.covered ? ' covered' : '') + (v.label.length ? ' labelled' : '') }), svg('text', { x: cx, y: cy + 4, 'text-anchor': 'middle' }, v.place ? v.place.line : '·'));
    b.append(svg('title', {}, (v.place ? where(v.place) + '\n' : '') + (v.covered ? 'covered\n' : '') + v.label.join('\n')));
    if (v.place) b.addEventListener('click', () => look(v.place));
    g.append(b);
  });
  box.append(g); box.scrollLeft = at(roots[0])[0] - box.clientWidth / 2;
}
function look(p) { if (p.file !== file) open(p.file); source.show(p.line - 1); }
// Locations in layers by distance from the entry; edges with their statements.
function drawGraph(f, box) {
  box.replaceChildren(); const depth = new Map([[f.entry, 0]]), next = new Map();
  for (const e of f.edges) { if (!next.has(e[0])) next.set(e[0], []); next.get(e[0]).push(e); }
  const work = [f.entry]; while (work.length) { const n = work.shift(); for (const e of next.get(n) || []) if (!depth.has(e[1])) { depth.set(e[1], depth.get(n) + 1); work.push(e[1]); } }
  const layers = []; for (const [n, d] of depth) (layers[d] ||= []).push(n);
  const at = new Map(); layers.forEach((l, d) => l.forEach((n, i) => at.set(n, { x: 110 + 290 * i, y: 24 + 64 * d })));
  const g = svg('svg', { width: 260 + 290 * Math.max(...layers.map(l => l.length)), height: 64 * layers.length + 40 }); g.append(arrowHead());
  const marks = new Map(f.marks.map(m => [m[0], m]));
  for (const e of f.edges) { const a = at.get(e[0]), b = at.get(e[1]); if (!a || !b) continue; const back = b.y <= a.y; g.append(svg('path', { d: back ? `M${a.x - 24} ${a.y}C${a.x - 90} ${a.y} ${b.x - 90} ${b.y} ${b.x - 24} ${b.y}` : `M${a.x} ${a.y + 12}L${b.x} ${b.y - 12}`, class: 'edge', 'marker-end': `url(#head${heads})` })); const t = svg('text', back ? { x: a.x - 88, y: a.y + 16 } : { x: a.x + (b.x - a.x) * 0.9 + 8, y: a.y + (b.y - a.y) * 0.62 }, e[2].length > 36 ? e[2].slice(0, 35) + '…' : e[2]); t.append(svg('title', {}, e[2])); g.append(t); }
  for (const [n, p] of at) { const m = marks.get(n); g.append(svg('ellipse', { cx: p.x, cy: p.y, rx: 24, ry: 12, class: 'box' + (m && m[1] === 'error' ? ' error' : '') }), svg('text', { x: p.x, y: p.y + 4, 'text-anchor': 'middle' }, m && m[2] ? m[2] : '·')); if (m) g.lastChild.append(svg('title', {}, m[1])); }
  box.append(g);
}

// ---- tabs, search, keys, theme
const tabs = [['trace', 'Trace', trace.length], ['proof', 'Proof', D.invariants.length + D.contracts.length + D.assumptions.length + D.notes.length], ['checks', 'Checks', D.checks.length], ['graph', 'Graph', D.graphs.length], ['search', 'Search', D.search.length], ['run', 'Run', 1]].filter(t => t[2]);
function tab(id) { for (const [t] of tabs) { $('panel-' + t).classList.toggle('on', t === id); $('tab-' + t).classList.toggle('on', t === id); } onPath.clear(); source.clear(); list.paint(); if (id === 'search') searchDraw(); }
for (const [id, title] of tabs) { const b = el('button', '', title); b.id = 'tab-' + id; b.addEventListener('click', () => tab(id)); $('tabs').append(b); }
let found = [], which = -1;
function search(text) {
  found = []; which = -1;
  if (text) {
    const t = text.toLowerCase();
    trace.forEach((r, i) => { if ((r.source + ' ' + r.facts.join(' ')).toLowerCase().includes(t)) found.push({ step: i }); });
    files.forEach((f, i) => f.lines.forEach((l, n) => { if (l.toLowerCase().includes(t)) found.push({ file: i, line: n }); }));
  }
  $('hits').textContent = text ? found.length + ' found' : '';
  another(1);
}
function another(by) {
  if (!found.length) return; which = (which + by + found.length) % found.length; const f = found[which];
  $('hits').textContent = (which + 1) + ' of ' + found.length;
  if (f.step !== undefined) { tab('trace'); go(f.step); } else { if (f.file !== file) open(f.file); source.show(f.line); }
}
$('search').addEventListener('input', e => search(e.target.value));
$('search').addEventListener('keydown', e => { if (e.key === 'Enter') another(e.shiftKey ? -1 : 1); if (e.key === 'Escape') e.target.blur(); e.stopPropagation(); });
const theme = t => { document.documentElement.dataset.theme = t; };
theme(window.matchMedia && matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
$('theme').addEventListener('click', () => theme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));
function outwards() { const d = trace[now].depth; for (let i = now + 1; i < trace.length; i++) if (trace[i].depth < d) return go(i); go(trace.length - 1); }
const keys = { ArrowRight: () => go(now + 1), j: () => go(now + 1), ArrowDown: () => go(now + 1), ArrowLeft: () => go(now - 1), k: () => go(now - 1), ArrowUp: () => go(now - 1), Home: () => go(0), End: () => go(trace.length - 1), PageDown: () => go(now + 20), PageUp: () => go(now - 20), u: outwards, n: () => another(1), N: () => another(-1), t: () => $('theme').click(), '/': () => $('search').focus() };
document.addEventListener('keydown', e => { if (e.ctrlKey || e.metaKey || e.altKey) return; const k = keys[e.key]; if (k && (trace.length || 'tnN/'.includes(e.key))) { k(); e.preventDefault(); } });
$('first').addEventListener('click', () => go(0)); $('prev').addEventListener('click', () => go(now - 1)); $('next').addEventListener('click', () => go(now + 1)); $('last').addEventListener('click', () => go(trace.length - 1)); $('out').addEventListener('click', outwards);
$('what').textContent = D.headline; $('what').title = D.headline;
panels(); searchPanel(); if (files.length) open(D.open); tab(tabs[0][0]);
if (trace.length) { const wanted = /^#step(\d+)$/.exec(location.hash); go(wanted ? wanted[1] - 1 : trace.length - 1); } else if (D.facts.length) source.show(D.facts[0].line - 1);
document.body.dataset.ready = '1';
