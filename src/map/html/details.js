// The page of one symbol, part or file.
'use strict';

const SYMBOL_KINDS = {
  function: 'function',
  object: 'object',
  tls: 'thread-local object',
  section: 'section',
};
const LIVE_WORDS = {
  root: 'a root',
  reference: 'referred to by',
  dependent: 'describes',
  group: 'in the section group of',
  description: 'something of its file takes memory',
};

let graphSteps = 1;

/** Why a part lives without a reference to it. */
function rootWords(part) {
  const entry = model.map.entry;
  if (entry && part.symbols && part.symbols.some((symbol) => symbol.name === entry.name))
    return 'a root: it has the entry';
  if (/^\.?((pre)?init|fini|[cd]tors|jcr)/.test(part.name || ''))
    return 'a root: a table of initialisers';
  return 'a root: KEEP, an option or an expression of the script names it; --why-live tells';
}

/** The chain from a root to a part, root first. */
function whyLiveList(part) {
  if (!part.live)
    return empty(
      part.output.loaded
        ? 'It was not asked whether anything needs it: nothing is collected, or not this.'
        : 'It takes no memory, so nothing has to need it.',
    );
  const chain = model.whyLive(part).reverse();
  return make(
    'ol',
    {class: 'chain'},
    chain.map((each, i) => {
      const words = i
        ? `${LIVE_WORDS[each.live] || each.live} ${model.partName(chain[i - 1])}`
        : each.live === 'root'
          ? rootWords(each)
          : LIVE_WORDS[each.live] || each.live;
      return make(
        'li',
        {},
        each === part ? make('strong', {}, model.partName(each)) : partLink(each),
        make('span', {class: 'place'}, ` ${model.partPlace(each)}`),
        make('span', {class: 'why'}, words),
      );
    }),
  );
}

function referenceTable(caption, rows) {
  if (!rows.length) return make('div', {}, make('h3', {}, caption), empty('None.'));
  return makeTable({
    caption: `${caption} (${grouped(rows.length)})`,
    rows,
    columns: [
      {
        name: 'Name',
        wide: true,
        value: (row) => model.partName(row.part),
        cell: (row) => partLink(row.part),
      },
      {name: 'Where', wide: true, value: (row) => model.partPlace(row.part)},
      {name: 'Times', number: true, value: (row) => row.count},
      {name: 'How', value: (row) => (row.call ? 'call' : 'address')},
    ],
  });
}

/** What a part's or symbol's page has below its facts. */
function partSections(part) {
  const drawing = make('div');
  const draw = () =>
    drawing.replaceChildren(
      graphDrawing(
        part,
        graphSteps,
        Math.max(300, document.getElementById('main').clientWidth - 44),
      ),
    );
  const steps = [1, 2].map((number) =>
    make(
      'button',
      {
        type: 'button',
        'aria-pressed': String(graphSteps === number),
        onclick: () => {
          graphSteps = number;
          steps.forEach((button, i) =>
            button.setAttribute('aria-pressed', String(i + 1 === number)),
          );
          draw();
        },
      },
      number === 1 ? 'One step' : 'Two steps',
    ),
  );
  draw();
  return [
    make('section', {class: 'card'}, make('h3', {}, 'Why it is here'), whyLiveList(part)),
    make(
      'section',
      {class: 'card'},
      make(
        'div',
        {class: 'row'},
        make('h3', {}, 'References'),
        make('div', {class: 'zoom'}, steps),
      ),
      drawing,
    ),
    make(
      'div',
      {class: 'columns'},
      make(
        'section',
        {class: 'card'},
        referenceTable('Referred to by', model.referredBy(part.index)),
      ),
      make('section', {class: 'card'}, referenceTable('Refers to', model.refersTo(part.index))),
    ),
  ];
}

/** What of the script took a part, and where that stands; null: nothing did. */
function placedBy(pattern) {
  if (!pattern) return null;
  const place = (pattern.script || '') + (pattern.line ? `:${pattern.line}` : '');
  return pattern.text ? `${pattern.text} at ${place}` : place;
}

function partFacts(part) {
  const region = model.regions[part.output.region];
  return [
    ['File', fileLink(part.file)],
    ['Source', model.files[part.file] && model.files[part.file].source],
    ['Output section', part.output.name],
    ['Region', region && region.name],
    [
      'Loaded from',
      part.output.bits && part.output.loadAddress !== part.output.address
        ? make(
            'code',
            {},
            hex(
              plus(part.output.loadAddress, distance(part.address, part.output.address)),
              model.bits,
            ),
          )
        : null,
    ],
    ['Alignment', part.align > 1 ? full(part.align) : null],
    ['Placed by', placedBy(model.patterns[part.pattern])],
    ['Cause', part.cause],
    [
      'Show in',
      part.output.loaded && part.size
        ? [
            link('memory/p' + part.index, 'memory'),
            ', ',
            link('contents/' + (model.files[part.file] ? 'f' + part.file : part.kind), 'contents'),
          ]
        : null,
    ],
  ];
}

function symbolPage(symbol) {
  const part = symbol.part,
    shown = model.shown(symbol.name);
  return make(
    'article',
    {},
    make('h2', {class: 'name'}, shown),
    shown === symbol.name ? null : make('p', {class: 'mangled'}, make('code', {}, symbol.name)),
    facts(
      [
        ['Address', make('code', {}, hex(symbol.address, model.bits))],
        ['Size', symbol.size ? full(symbol.size) : 'unknown'],
        [
          'Kind',
          [
            symbol.local ? 'local' : '',
            symbol.weak ? 'weak' : '',
            SYMBOL_KINDS[symbol.kind] || 'label',
          ]
            .filter(Boolean)
            .join(' '),
        ],
        ['Section', link('part/' + part.index, part.name || model.partName(part), {class: 'name'})],
        ...partFacts(part),
      ],
      {class: 'facts card'},
    ),
    part.symbols.length > 1
      ? make(
          'p',
          {class: 'hint'},
          `What follows is of its section, which has ${count(part.symbols.length, 'symbol')}: ` +
            'a map knows references between sections.',
        )
      : null,
    partSections(part),
  );
}

function partPage(part) {
  return make(
    'article',
    {},
    make('h2', {class: 'name'}, model.partName(part)),
    facts(
      [
        ['Section', part.name],
        ['Symbol', part.symbols.length === 1 ? symbolLink(part.symbols[0]) : null],
        ['Address', make('code', {}, hex(part.address, model.bits))],
        ['Size', full(part.size)],
        [
          'Kind',
          part.kind === 'input' || part.reservation ? CATEGORIES[part.category] : part.kind,
        ],
        ...partFacts(part),
      ],
      {class: 'facts card'},
    ),
    part.symbols.length > 1
      ? make(
          'section',
          {class: 'card'},
          makeTable({
            caption: `Symbols (${grouped(part.symbols.length)})`,
            rows: part.symbols,
            columns: [
              {
                name: 'Name',
                wide: true,
                value: (symbol) => model.shown(symbol.name),
                cell: symbolLink,
              },
              addressColumn((symbol) => symbol.address),
              bytesColumn('Bytes', (symbol) => symbol.size, part.size),
              {name: 'Kind', value: (symbol) => SYMBOL_KINDS[symbol.kind] || 'label'},
            ],
          }),
        )
      : null,
    partSections(part),
  );
}

/** Why an archive's member takes part: it, and who needs it, up to a file of the command line. */
function whyExtracted(file) {
  if (!file.member) return null;
  const steps = [],
    seen = new Set();
  for (let each = file; each && each.member && !seen.has(each); each = model.files[each.neededBy]) {
    seen.add(each);
    const needing = model.files[each.neededBy];
    steps.push(
      make(
        'li',
        {},
        each === file ? make('strong', {}, each.name) : fileLink(each.index),
        make(
          'span',
          {class: 'why'},
          each.symbol
            ? [
                'defines ',
                make('code', {}, model.shown(each.symbol)),
                ', which ',
                needing ? fileLink(needing.index) : 'an option or the script',
                ' refers to',
              ]
            : 'was asked for',
        ),
      ),
    );
  }
  return make(
    'section',
    {class: 'card'},
    make('h3', {}, 'Why it takes part'),
    make('ol', {class: 'chain down'}, steps),
  );
}

function filePage(file) {
  const rows = file.parts.filter((part) => part.size);
  return make(
    'article',
    {},
    make('h2', {class: 'name'}, file.name),
    facts(
      [
        ['In memory', full(file.size)],
        ['Sections', grouped(rows.length)],
        ['Source', file.source],
        ['Contents', file.size ? link('contents/f' + file.index, 'as a treemap') : null],
      ],
      {class: 'facts card'},
    ),
    whyExtracted(file),
    make(
      'section',
      {class: 'card'},
      rows.length
        ? makeTable({
            caption: 'Sections',
            rows,
            sort: 2,
            columns: [
              {
                name: 'Name',
                wide: true,
                value: (part) => model.partName(part),
                cell: (part) => [swatch(part.category), partLink(part)],
              },
              {name: 'Section', wide: true, value: (part) => part.name || part.kind},
              bytesColumn('Bytes', (part) => part.size),
              addressColumn((part) => part.address),
            ],
          })
        : empty('Nothing of it is in the output.'),
    ),
  );
}

class DetailsView {
  constructor() {
    this.element = make('div');
  }
  /** `what`: "symbol", "part" or "file". */
  open(number, what) {
    const item = {symbol: model.symbols, part: model.parts, file: model.files}[what][number];
    const pages = {symbol: symbolPage, part: partPage, file: filePage};
    this.element.replaceChildren(
      item ? pages[what](item) : empty(`This report has no ${what} ${number}.`),
    );
    const head = this.element.querySelector('h2');
    if (head) {
      head.tabIndex = -1;
      head.focus({preventScroll: true});
      window.scrollTo(0, 0);
    }
    this.drawing = null;
  }
}
