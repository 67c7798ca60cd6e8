// Tables that sort by any column, and show long lists a piece at a time.
'use strict';

const ROWS_AT_ONCE = 100;

/**
 * `columns`: {name, value(row), cell(row), number: right-aligned, wide: may be cut}; without
 * `cell` the value is shown. `rows` are sorted by `sort`, the number of a column, -1 for the
 * order they have; `down`: the largest first.
 */
function makeTable({caption, columns, rows, sort = -1, down = true, hidden = false}) {
  const state = {sort, down, shown: ROWS_AT_ONCE};
  const body = make('tbody');
  const more = make('button', {type: 'button', class: 'more', onclick: () => {
    const begin = body.rows.length;
    state.shown += 10 * ROWS_AT_ONCE;
    fill(false);
    const first = body.rows[begin] && body.rows[begin].querySelector('a, button');
    if (first)
      first.focus();
  }});
  const heads = columns.map((column, i) => {
    const button = make('button', {type: 'button', onclick: () => {
      state.down = state.sort === i ? !state.down : Boolean(column.number);
      state.sort = i;
      fill(true);
    }}, column.name);
    return make('th', {scope: 'col', class: column.number ? 'number' : null}, button);
  });
  let sorted = rows;
  function order() {
    heads.forEach((head, i) => head.setAttribute('aria-sort', state.sort !== i ? 'none'
      : state.down ? 'descending' : 'ascending'));
    if (state.sort < 0)
      return;
    const value = columns[state.sort].value, sign = state.down ? -1 : 1;
    sorted = rows.map((row, i) => [value(row), i, row])
      .sort((a, b) => sign * inOrder(a[0], b[0]) || a[1] - b[1]).map((entry) => entry[2]);
  }
  function fill(again) {
    if (again) {
      order();
      body.replaceChildren();
    }
    for (const row of sorted.slice(body.rows.length, state.shown))
      body.append(make('tr', {}, columns.map((column) =>
        make('td', {class: column.number ? 'number' : column.wide ? 'wide' : null},
          column.cell ? column.cell(row) : String(column.value(row))))));
    const rest = rows.length - body.rows.length;
    more.hidden = rest <= 0;
    more.textContent = `Show more (${grouped(rest)} left)`;
  }
  fill(true);
  return make('div', {class: 'table'},
    make('div', {class: 'scroll', role: 'region', 'aria-label': caption, tabindex: '0'},
      make('table', {}, make('caption', {class: hidden ? 'unseen' : null}, caption),
        make('thead', {}, make('tr', {}, heads)), body)), more);
}

/** A column of bytes, with the share of `whole` where there is one. */
function bytesColumn(name, value, whole = 0) {
  return {name, value, number: true, cell: (row) => make('span', {title: full(value(row))}, grouped(value(row)),
    whole ? make('small', {}, ' ' + percent(value(row), whole)) : null)};
}

function addressColumn(value) {
  return {name: 'Address', value, cell: (row) => make('code', {}, hex(value(row), model.bits))};
}
