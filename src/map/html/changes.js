// Problem: what has become larger since an older link, by region, section, file and symbol,
// although nothing in two maps says which symbol was which.
//
// Method: things are the same that have the same name; symbols, the same name in a file of
// the same name, and where a file has several of one name, the same one in order. What has a
// size on one side only has appeared or vanished.
//
// Cost: a hash table over the older map, and a pass over the newer one.
'use strict';

/** Adds bytes to the entry of a name. */
function addTo(sums, key, bytes, rest) {
  const entry = sums.get(key);
  if (entry) entry.bytes += bytes;
  else sums.set(key, {bytes, ...rest});
}

function regionSums(of) {
  const sums = new Map();
  for (const region of of.regions) addTo(sums, region.name, region.used, {name: region.name});
  return sums;
}
function outputSums(of) {
  const sums = new Map();
  for (const output of of.outputs) addTo(sums, output.name, output.size, {name: output.name});
  return sums;
}
function fileSums(of) {
  const sums = new Map();
  for (const file of of.files) addTo(sums, file.name, file.size, {name: file.name, file});
  return sums;
}
function symbolSums(of) {
  const sums = new Map(),
    times = new Map();
  for (const symbol of of.symbols) {
    if (!symbol.size || !symbol.part.output.loaded) continue;
    const place = of.fileName(symbol.part.file),
      name = `${place}\0${symbol.name}`;
    const time = times.get(name) || 0;
    times.set(name, time + 1);
    sums.set(`${name}\0${time}`, {bytes: symbol.size, name: of.shown(symbol.name), place, symbol});
  }
  return sums;
}

/** Rows {name, before, now, delta, what} of what differs. */
function differences(before, now) {
  const rows = [];
  for (const [key, entry] of now) {
    const old = before.get(key);
    if (!old || old.bytes !== entry.bytes)
      rows.push({
        ...entry,
        before: old ? old.bytes : 0,
        now: entry.bytes,
        delta: entry.bytes - (old ? old.bytes : 0),
        what: !old ? 'appeared' : entry.bytes > old.bytes ? 'grew' : 'shrank',
      });
  }
  for (const [key, entry] of before)
    if (!now.has(key))
      rows.push({
        ...entry,
        before: entry.bytes,
        now: 0,
        delta: -entry.bytes,
        what: 'vanished',
        symbol: null,
        file: null,
      });
  return rows;
}

/** What is most worth knowing stands first: a narrow screen shows no more without scrolling. */
function changeColumns(most, places) {
  const linked = (row) =>
    row.symbol ? symbolLink(row.symbol) : row.file ? fileLink(row.file.index) : row.name;
  const delta = (row) => {
    const name = row.delta > 0 ? 'more-bytes' : 'less-bytes';
    return make('span', {class: name, title: full(row.delta)}, signed(row.delta));
  };
  const share = (row) => bar(Math.abs(row.delta), most, row.delta > 0 ? 'data' : 'constant');
  const columns = [
    {name: 'Name', wide: true, value: (row) => row.name, cell: linked},
    {name: 'Change', number: true, value: (row) => Math.abs(row.delta), cell: delta},
    bytesColumn('Before', (row) => row.before),
    bytesColumn('Now', (row) => row.now),
    {name: 'What', value: (row) => row.what},
  ];
  if (places) columns.push({name: 'File', wide: true, value: (row) => row.place});
  columns.push({name: 'Share', value: (row) => row.delta, cell: share});
  return columns;
}

function changeTable(title, rows, unchanged) {
  if (!rows.length)
    return make('section', {class: 'card'}, make('h3', {}, title), empty(unchanged));
  const most = rows.reduce((high, row) => Math.max(high, Math.abs(row.delta)), 1);
  const sums = {};
  for (const row of rows) sums[row.what] = (sums[row.what] || 0) + 1;
  const said = Object.entries(sums).map(([what, number]) => `${grouped(number)} ${what}`);
  const columns = changeColumns(
    most,
    rows.some((row) => row.place),
  );
  const caption = `${title}: ${said.join(', ')}`;
  return make('section', {class: 'card'}, makeTable({caption, rows, sort: 1, columns}));
}

class ChangesView {
  /** `read` makes a Model of the baseline; null without one. */
  constructor(read) {
    let older = null;
    try {
      older = read();
    } catch (error) {
      this.element = make(
        'p',
        {class: 'empty', role: 'alert'},
        `The baseline cannot be shown: ${error.message}`,
      );
      return;
    }
    if (!older) {
      this.element = empty(
        'There is nothing to compare with: link with --baseline=FILE, an older --map-json, to see here what has changed.',
      );
      return;
    }
    const delta = model.loaded - older.loaded;
    this.element = make(
      'div',
      {},
      facts(
        [
          ['Loaded before', full(older.loaded)],
          ['Loaded now', full(model.loaded)],
          ['Change', `${signed(delta)} bytes`],
          ['Older output', older.map.output],
        ],
        {class: 'facts card'},
      ),
      changeTable(
        'Regions',
        differences(regionSums(older), regionSums(model)),
        'No region is used otherwise.',
      ),
      changeTable(
        'Output sections',
        differences(outputSums(older), outputSums(model)),
        'All have the size that they had.',
      ),
      changeTable(
        'Files',
        differences(fileSums(older), fileSums(model)),
        'Each takes what it took.',
      ),
      changeTable(
        'Symbols',
        differences(symbolSums(older), symbolSums(model)),
        'All have the size that they had.',
      ),
    );
  }
}
