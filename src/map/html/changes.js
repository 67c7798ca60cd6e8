// What has become larger or smaller since an older link: the rows of xlink-inspect compare, which
// stand in the page. What was which in the older map is decided there and nowhere else.
'use strict';

/** What rows are called that have no file. */
const WITHOUT_FILE = {
  padding: '(padding)',
  reserved: '(room set aside)',
  linker: '(made by the linker)',
  data: '(data of the script)',
  none: '(no file)',
};

/** A row of the comparison as one of a table. */
function changeRow({name, kind, old, new: now, change, file, number}) {
  return {
    name: kind ? WITHOUT_FILE[kind] || `(${kind})` : model.shown(name),
    place: file,
    number,
    before: old || 0,
    now: now || 0,
    delta: change,
    what: old === null ? 'appeared' : now === null ? 'vanished' : change > 0 ? 'grew' : 'shrank',
  };
}

/** What is most worth knowing stands first: a narrow screen shows no more without scrolling. */
function changeColumns(most, places, linked) {
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

/** `linked` makes the cell of a row's name. */
function changeTable(title, list, unchanged, linked = (row) => row.name) {
  const rows = list.map(changeRow);
  if (!rows.length)
    return make('section', {class: 'card'}, make('h3', {}, title), empty(unchanged));
  const most = rows.reduce((high, row) => Math.max(high, Math.abs(row.delta)), 1);
  const sums = {};
  for (const row of rows) sums[row.what] = (sums[row.what] || 0) + 1;
  const said = Object.entries(sums).map(([what, number]) => `${grouped(number)} ${what}`);
  const columns = changeColumns(
    most,
    rows.some((row) => row.place),
    linked,
  );
  const caption = `${title}: ${said.join(', ')}`;
  return make('section', {class: 'card'}, makeTable({caption, rows, sort: 1, columns}));
}

class ChangesView {
  constructor() {
    try {
      const changes = readBlock('changes');
      this.element = changes
        ? this.tables(changes)
        : empty(
            'There is nothing to compare with: link with --baseline=FILE, an older --map-json, to see here what has changed.',
          );
    } catch (error) {
      this.element = make(
        'p',
        {class: 'empty', role: 'alert'},
        `The baseline cannot be shown: ${error.message}`,
      );
    }
  }

  tables(changes) {
    if (changes.format !== 'xlink map comparison' || changes.version !== 1)
      throw new Error(
        `this page shows xlink map comparisons of version 1, not '${changes.format}' of version ${changes.version}`,
      );
    const {total} = changes.memory;
    const fileCell = (row) => (row.number === undefined ? row.name : fileLink(row.number));
    const symbolCell = (row) =>
      row.number === undefined ? row.name : symbolLink(model.symbols[row.number]);
    const same = 'All have the size that they had.';
    return make(
      'div',
      {},
      facts(
        [
          ['In memory before', full(total.old)],
          ['In memory now', full(total.new)],
          ['Change', `${signed(total.change)} bytes`],
          ['Older output', changes.old.output],
        ],
        {class: 'facts card'},
      ),
      changeTable('Symbols', changes.symbols, same, symbolCell),
      changeTable(
        'Regions',
        changes.regions.filter((region) => region.change || region.old === null),
        'No region is used otherwise.',
      ),
      changeTable('Output sections', changes.outputs, same),
      changeTable('Archives', changes.archives, 'Each takes what it took.'),
      changeTable('Files', changes.objects, 'Each takes what it took.', fileCell),
    );
  }
}
