// The deepest paths of --stack-usage: a bar for each, its frames to scale, with the limit.
'use strict';

function stackCard(stack) {
  const path = stack.path || [],
    limit = stack.limit || 0,
    whole = Math.max(stack.bytes || 0, limit);
  const over = limit && stack.bytes > limit,
    bounded = stack.bounded !== false;
  const share = (bytes) => (whole ? (100 * bytes) / whole : 0) + '%';
  const frames = path.map((frame, i) =>
    make(
      'span',
      {
        class: 'frame ' + (i % 2 ? 'odd' : 'even'),
        style: {width: share(frame.bytes || 0)},
        title: `${model.shown(frame.function)}: ${
          frame.bytes === undefined ? 'unknown' : full(frame.bytes)
        }`,
      },
      model.shown(frame.function),
    ),
  );
  let deep = 0;
  const rows = path.map((frame, i) => ({
    ...frame,
    number: i + 1,
    deep: (deep += frame.bytes || 0),
  }));
  return make(
    'section',
    {class: 'card', 'aria-label': 'Stack of ' + model.shown(stack.root)},
    make(
      'div',
      {class: 'row'},
      make(
        'h2',
        {class: 'name'},
        model.shown(stack.root),
        make('small', {}, ' ' + (stack.kind || '')),
      ),
      make(
        'p',
        {class: over || !bounded ? 'used over' : 'used'},
        bounded ? '' : 'not bounded: at least ',
        make('strong', {}, full(stack.bytes)),
        !limit
          ? ', no limit is known'
          : bounded || over
            ? ` of ${full(limit)}, ${percent(stack.bytes, limit)}`
            : `; the limit of ${full(limit)} may not be enough`,
        over ? ' \u2013 too much' : '',
      ),
    ),
    make(
      'div',
      {class: 'frames', 'aria-hidden': 'true'},
      frames,
      limit && limit <= whole ? make('span', {class: 'limit', style: {left: share(limit)}}) : null,
    ),
    rows.length
      ? make(
          'details',
          {},
          make('summary', {}, `Path of ${count(rows.length, 'function')}`),
          makeTable({
            caption: 'Path to the deepest place',
            hidden: true,
            rows,
            columns: [
              {name: 'Step', number: true, value: (row) => row.number},
              {
                name: 'Function',
                wide: true,
                value: (row) => model.shown(row.function),
                cell: (row) => functionLink(row.function),
              },
              bytesColumn('Bytes', (row) => row.bytes, stack.bytes),
              bytesColumn('Together', (row) => row.deep),
            ],
          }),
        )
      : null,
  );
}

/** A link to the symbol of that name, if there is one. */
function functionLink(name) {
  if (!model.functions) {
    model.functions = new Map();
    for (const symbol of model.symbols)
      if (!model.functions.has(symbol.name)) model.functions.set(symbol.name, symbol);
  }
  const symbol = model.functions.get(name);
  return symbol ? symbolLink(symbol) : model.shown(name);
}

class StacksView {
  constructor() {
    this.element = make(
      'div',
      {},
      model.stacks.length
        ? model.stacks.map(stackCard)
        : empty('The map has no stacks: link with --stack-usage to have them here.'),
    );
  }
}
