// Tables that sort by any column, and show long lists a piece at a time.
'use strict';

const ROWS_AT_ONCE = 100;

class Table {
  constructor(columns, rows, sort, down) {
    Object.assign(this, {columns, rows, sort, down, shown: ROWS_AT_ONCE, sorted: rows});
    this.body = make('tbody');
    this.more = make('button', {type: 'button', class: 'more', onclick: () => this.showMore()});
    this.heads = columns.map((column, i) =>
      make(
        'th',
        {scope: 'col', class: column.number ? 'number' : null},
        make('button', {type: 'button', onclick: () => this.sortBy(i)}, column.name),
      ),
    );
    this.order();
    this.fill();
  }

  /** Once more the same column: the other way round. */
  sortBy(i) {
    this.down = this.sort === i ? !this.down : Boolean(this.columns[i].number);
    this.sort = i;
    this.order();
    this.body.replaceChildren();
    this.fill();
  }

  order() {
    this.heads.forEach((head, i) => {
      const way = this.down ? 'descending' : 'ascending';
      head.setAttribute('aria-sort', this.sort === i ? way : 'none');
    });
    if (this.sort < 0) return;
    const value = this.columns[this.sort].value;
    const sign = this.down ? -1 : 1;
    this.sorted = this.rows
      .map((row, i) => [value(row), i, row])
      .sort((a, b) => sign * inOrder(a[0], b[0]) || a[1] - b[1])
      .map((entry) => entry[2]);
  }

  /** Adds the rows that are to be seen and are not there yet. */
  fill() {
    for (const row of this.sorted.slice(this.body.rows.length, this.shown))
      this.body.append(
        make(
          'tr',
          {},
          this.columns.map((column) => this.cell(column, row)),
        ),
      );
    const rest = this.rows.length - this.body.rows.length;
    this.more.hidden = rest <= 0;
    this.more.textContent = `Show more (${grouped(rest)} left)`;
  }

  cell(column, row) {
    const name = column.number ? 'number' : column.wide ? 'wide' : null;
    const shown = column.cell ? column.cell(row) : String(column.value(row));
    return make('td', {class: name}, shown);
  }

  /** The focus goes on where the list does, and does not vanish with the button. */
  showMore() {
    const begin = this.body.rows.length;
    this.shown += 10 * ROWS_AT_ONCE;
    this.fill();
    const first = this.body.rows[begin] && this.body.rows[begin].querySelector('a, button');
    if (first) first.focus();
  }
}

/**
 * `columns`: {name, value(row), cell(row), number: right-aligned, wide: may be cut}; without
 * `cell` the value is shown. `rows` are sorted by `sort`, the number of a column, -1 for the
 * order they have; `down`: the largest first. `hidden`: the caption is for readers alone.
 */
function makeTable({caption, columns, rows, sort = -1, down = true, hidden = false}) {
  const table = new Table(columns, rows, sort, down);
  return make(
    'div',
    {class: 'table'},
    make(
      'div',
      {class: 'scroll', role: 'region', 'aria-label': caption, tabindex: '0'},
      make(
        'table',
        {},
        make('caption', {class: hidden ? 'unseen' : null}, caption),
        make('thead', {}, make('tr', {}, table.heads)),
        table.body,
      ),
    ),
    table.more,
  );
}

/** A column of bytes, with the share of `whole` where there is one; undefined: unknown. */
function bytesColumn(name, value, whole = 0) {
  const cell = (row) =>
    value(row) === undefined
      ? '?'
      : make(
          'span',
          {title: full(value(row))},
          grouped(value(row)),
          whole ? make('small', {}, ' ' + percent(value(row), whole)) : null,
        );
  return {name, value, number: true, cell};
}

function addressColumn(value) {
  const cell = (row) => make('code', {}, hex(value(row), model.bits));
  return {name: 'Address', value, cell};
}
