// Relocation statistics, and what is not in the output.
'use strict';

class RelocationsView {
  constructor() {
    const rows = model.relocations;
    const whole = rows.reduce((sum, row) => sum + row.count, 0),
      most = rows.reduce((high, row) => Math.max(high, row.count), 0);
    this.element = make(
      'section',
      {class: 'card'},
      rows.length
        ? makeTable({
            caption: `${count(whole, 'relocation')} of ${count(rows.length, 'type')}`,
            rows,
            sort: 1,
            columns: [
              {name: 'Type', value: (row) => row.type, cell: (row) => make('code', {}, row.type)},
              {
                name: 'Applied',
                number: true,
                value: (row) => row.count,
                cell: (row) => [
                  grouped(row.count),
                  make('small', {}, ' ' + percent(row.count, whole)),
                ],
              },
              {name: 'Share', value: (row) => row.count, cell: (row) => bar(row.count, most)},
            ],
          })
        : empty('No relocation was applied.'),
    );
  }
}

const REASONS = {
  unused: 'nothing needs it (--gc-sections)',
  comdat: 'another file has the same group',
  script: 'the script discards it',
  folded: 'equal to another (--icf)',
  debug: 'debug information (--strip-debug)',
  excluded: 'it is for the linker alone',
  unknown: 'the linker does not say why',
};

class DiscardedView {
  constructor() {
    const rows = model.discarded,
      sums = new Map();
    for (const row of rows) {
      const sum = sums.get(row.reason) || {reason: row.reason, sections: 0, bytes: 0};
      ++sum.sections;
      sum.bytes += row.size;
      sums.set(row.reason, sum);
    }
    const whole = rows.reduce((sum, row) => sum + row.size, 0);
    this.element = rows.length
      ? make(
          'div',
          {},
          make(
            'section',
            {class: 'card'},
            makeTable({
              caption: `${count(rows.length, 'section')} left out, ${full(whole)}`,
              rows: [...sums.values()],
              sort: 2,
              columns: [
                {name: 'Why', wide: true, value: (row) => REASONS[row.reason] || row.reason},
                {name: 'Sections', number: true, value: (row) => row.sections},
                bytesColumn('Bytes', (row) => row.bytes, whole),
              ],
            }),
          ),
          make(
            'section',
            {class: 'card'},
            makeTable({
              caption: 'Sections that are not in the output',
              rows,
              sort: 2,
              columns: [
                {name: 'Section', wide: true, value: (row) => row.name},
                {
                  name: 'File',
                  wide: true,
                  value: (row) => model.fileName(row.file),
                  cell: (row) => fileLink(row.file),
                },
                bytesColumn('Bytes', (row) => row.size),
                {name: 'Why', value: (row) => row.reason},
              ],
            }),
          ),
        )
      : empty('Nothing was left out.');
  }
}
