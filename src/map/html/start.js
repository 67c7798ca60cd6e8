// The frame of the page: its head, its tabs, the theme, and which view the address names.
// A view is made when it is first opened. A page with a predecessor opens at the largest change.
'use strict';

const VIEWS = [
  ['memory', 'Memory', () => new MemoryView()],
  ['contents', 'Contents', () => new ContentsView()],
  ['details', 'Details', () => new DetailsView()],
  ['stack', 'Stack', () => new StacksView()],
  ['relocations', 'Relocations', () => new RelocationsView()],
  ['discarded', 'Discarded', () => new DiscardedView()],
  ['changes', 'Changes', () => new ChangesView()],
];
const views = new Map();
let openView = null;
let lastDetails = '';

/** Opens what a link names: "contents/f12", "symbol/7". */
function go(route) {
  if (location.hash.slice(1) === route) showRoute();
  else location.hash = route;
}

/** The text as an address has it; as it stands where it is no such text. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function showRoute() {
  const [head, ...rest] = location.hash.slice(1).split('/');
  const detail = head === 'symbol' || head === 'part' || head === 'file';
  let name = detail ? 'details' : VIEWS.some(([each]) => each === head) ? head : blocks.changes ? 'changes' : 'memory';
  if (detail) lastDetails = location.hash.slice(1);
  if (head === 'details' && lastDetails) {
    location.replace('#' + lastDetails);
    return;
  }
  const entry = VIEWS.find(([each]) => each === name);
  if (!views.has(name)) views.set(name, entry[2]());
  const view = views.get(name);
  for (const [each] of VIEWS) {
    const tab = document.getElementById('tab-' + each),
      chosen = each === name;
    tab.setAttribute('aria-selected', String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    if (chosen) tab.scrollIntoView({block: 'nearest', inline: 'nearest'});
  }
  const panel = document.getElementById('panel');
  panel.setAttribute('aria-labelledby', 'tab-' + name);
  if (panel.firstChild !== view.element) panel.replaceChildren(view.element);
  openView = view;
  if (detail) view.open(decoded(rest[0] || ''), head);
  else if (name === 'details')
    view.element.replaceChildren(
      empty('Search for a symbol, or choose one in the contents, to see here who needs it.'),
    );
  else if (view.open) view.open(decoded(rest.join('/')));
}

function makeTabs() {
  const bar = document.getElementById('tabs');
  bar.append(
    ...VIEWS.map(([name, title], i) =>
      make(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: 'tab-' + name,
          'aria-controls': 'panel',
          'data-title': title,
          onclick: () => go(name),
          onkeydown: (event) => {
            const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
            const next =
              event.key === 'Home'
                ? 0
                : event.key === 'End'
                  ? VIEWS.length - 1
                  : step
                    ? (i + step + VIEWS.length) % VIEWS.length
                    : -1;
            if (next < 0) return;
            event.preventDefault();
            go(VIEWS[next][0]);
            document.getElementById('tab-' + VIEWS[next][0]).focus();
          },
        },
        title,
      ),
    ),
  );
  document.getElementById('main').replaceChildren(make('div', {id: 'panel', role: 'tabpanel'}));
}

function makeHead() {
  const map = model.map,
    entry = map.entry;
  const title = document.getElementById('title');
  document.title = `${baseName(map.output || 'Output')} \u2013 link report`;
  title.textContent = baseName(map.output || 'Link report');
  title.title = map.output || '';
  document.getElementById('facts').replaceWith(
    facts(
      [
        ['Machine', map.machine],
        [
          'Entry',
          entry
            ? make(
                'span',
                {},
                model.shown(entry.name || ''),
                ' ',
                make('code', {}, hex(addressOf(entry.address), model.bits)),
              )
            : null,
        ],
        ['In memory', full(model.loaded)],
        ['Files', grouped(model.files.length)],
        ['Sections', grouped(model.parts.filter((part) => part.kind !== 'padding').length)],
        ['Symbols', grouped(model.symbols.length)],
      ],
      {id: 'facts'},
    ),
  );
}

/** A theme that was chosen holds in this browser; else the system's does. */
function makeTheme() {
  const button = document.getElementById('theme'),
    names = ['auto', 'light', 'dark'];
  let theme = 'auto';
  try {
    theme = localStorage.getItem('xlink-theme') || 'auto';
  } catch {
    // Files may have no storage.
  }
  const apply = () => {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = {auto: '\u25d0 Auto', light: '\u25cb Light', dark: '\u25cf Dark'}[theme];
    button.setAttribute('aria-label', `Theme: ${theme}. Change it`);
    redraw();
  };
  button.addEventListener('click', () => {
    theme = names[(names.indexOf(theme) + 1) % names.length];
    try {
      localStorage.setItem('xlink-theme', theme);
    } catch {
      // It holds for this visit.
    }
    apply();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  apply();
}

function redraw() {
  paletteNow = null;
  if (openView && openView.drawing) openView.drawing();
}

async function start() {
  try {
    await takeBlocks();
    const names = readBlock('names');
    model = new Model(readBlock('map') || {}, new Map(Object.entries(names || {})));
  } catch (error) {
    document
      .getElementById('main')
      .replaceChildren(
        make('p', {class: 'empty', role: 'alert'}, `This report cannot be shown: ${error.message}`),
      );
    return;
  }
  makeHead();
  makeTabs();
  new Search();
  makeTheme();
  window.addEventListener('hashchange', showRoute);
  window.addEventListener('resize', redraw);
  window.addEventListener('beforeprint', redraw);
  document.querySelector('.skip').addEventListener('click', (event) => {
    event.preventDefault();
    document.getElementById('main').focus();
  });
  showRoute();
}

const drawn = start();
