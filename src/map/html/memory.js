// The memory map: a strip for each region, with all that stands in it and what is free.
'use strict';

/** Blocks of a region of `length` bytes from `origin`, without holes. */
function regionBlocks(items, length, used) {
  items.sort((a, b) => a.from - b.from || b.to - a.to);
  const blocks = [];
  let end = 0;
  const hole = (from, to) => {
    if (to > from)
      blocks.push({
        from,
        to,
        kind: from >= used ? 'free' : 'gap',
        name: from >= used ? 'free' : 'gap',
        category: 'padding',
      });
  };
  for (const item of items) {
    hole(end, Math.min(item.from, length));
    // Room inside of a section is drawn where that is: its parts are.
    const from = item.kind === 'reservation' ? Math.max(item.from, end) : item.from;
    if (from < item.to) blocks.push({...item, from});
    end = Math.max(end, item.to);
  }
  hole(end, length);
  return blocks;
}

/** What stands in a region: {region, origin, length, used, blocks}. */
function regionContents(region) {
  const items = [];
  for (const output of model.outputs) {
    if (!output.size || !output.loaded) continue;
    if (output.region === region.index)
      items.push({
        kind: 'section',
        name: output.name,
        category: output.category,
        output,
        from: distance(output.address, region.origin),
      });
    if (
      output.bits &&
      output.loadRegion === region.index &&
      (output.loadRegion !== output.region || output.loadAddress !== output.address)
    )
      items.push({
        kind: 'load',
        name: 'contents of ' + output.name,
        category: output.category,
        output,
        from: distance(output.loadAddress, region.origin),
      });
  }
  for (const item of items) item.to = item.from + item.output.size;
  for (const reservation of region.reservations) {
    const from = distance(addressOf(reservation.address), region.origin);
    if (reservation.size)
      items.push({
        kind: 'reservation',
        name: `${reservation.name} (${reservation.kind})`,
        category: 'padding',
        from,
        to: from + reservation.size,
      });
  }
  const inside = items.filter((item) => item.from >= 0 && item.to > item.from);
  // What overflows is shown too, behind the end.
  const length = inside.reduce((most, item) => Math.max(most, item.to), Math.max(1, region.length));
  return {region, origin: region.origin, length, blocks: regionBlocks(inside, length, region.used)};
}

/** Where no region holds what is loaded: from the first address of it to the last. */
function strayRegion() {
  const stray = model.outputs.filter(
    (output) => output.loaded && output.size && model.regions[output.region] === undefined,
  );
  if (!stray.length) return null;
  const origin = stray.reduce(
    (least, output) => (output.address < least ? output.address : least),
    stray[0].address,
  );
  const length = stray.reduce(
    (most, output) => Math.max(most, distance(output.address, origin) + output.size),
    0,
  );
  return {
    index: undefined,
    name: 'in no region',
    origin,
    length,
    used: length,
    loadOnly: 0,
    reservations: [],
    stray: true,
  };
}

/** Sections of -r all stand at 0, where no picture tells anything. */
function isRelocatable() {
  const loaded = model.outputs.filter((output) => output.loaded && output.size);
  return (
    !model.regions.length && loaded.length > 1 && loaded.every((output) => output.address === 0)
  );
}

const KIND_WORDS = {
  section: 'section',
  load: 'loaded from here',
  reservation: 'reserved',
  gap: 'gap',
  free: 'free',
};

const HINT =
  'Click or Enter goes into a section. Arrow keys, plus, minus, Home, Escape and, once clicked, the wheel work too.';

class MemoryView {
  constructor() {
    this.cards = [];
    this.drawing = () => this.cards.forEach((card) => card.strip.draw());
    const regions = model.regions.filter((region) => region.length || region.used);
    const stray = strayRegion();
    if (stray) regions.push(stray);
    if (isRelocatable()) {
      this.element = this.relocatable();
      return;
    }
    this.element = make(
      'div',
      {class: 'memory'},
      regions.length ? null : empty('The output takes no memory.'),
      make(
        'ul',
        {class: 'legend'},
        Object.keys(CATEGORIES)
          .filter((category) =>
            model.outputs.some((output) => output.category === category && output.loaded),
          )
          .map((category) => make('li', {}, swatch(category), CATEGORIES[category])),
        make('li', {}, swatch('free'), 'Free, gap'),
        make('li', {}, swatch('hatched'), 'Reserved'),
        make('li', {}, swatch('hatched-back'), 'Loaded from here, runs elsewhere'),
      ),
      regions.map((region) => this.regionCard(region)),
      this.notLoaded(),
    );
  }

  relocatable() {
    const rows = model.outputs.filter((output) => output.size);
    return make(
      'section',
      {class: 'card'},
      make('p', {class: 'hint'}, 'The output is relocatable: its sections have no addresses yet.'),
      makeTable({
        caption: `${count(rows.length, 'section')}, ${full(rows.reduce((sum, output) => sum + output.size, 0))}`,
        rows,
        sort: 1,
        columns: [
          {name: 'Section', wide: true, value: (output) => output.name},
          bytesColumn('Bytes', (output) => output.size),
          {name: 'What', value: (output) => CATEGORIES[output.category]},
          {name: 'Parts', number: true, value: (output) => output.count},
        ],
      }),
    );
  }

  regionCard(region) {
    const contents = regionContents(region),
      told = make('p', {class: 'told'}, this.cards.length ? '\u00a0' : HINT);
    const strip = new Strip({
      region: region.name,
      length: contents.length,
      origin: contents.origin,
      blocks: contents.blocks,
      show: (item) => this.tell(told, contents, item),
    });
    this.cards.push({strip, told, contents});
    const button = (name, text, action) =>
      make(
        'button',
        {type: 'button', 'aria-label': `${name} ${region.name}`, onclick: action},
        text,
      );
    const over = region.used > region.length;
    return make(
      'section',
      {class: 'card', 'aria-label': 'Region ' + region.name},
      make(
        'div',
        {class: 'row'},
        make('h2', {}, region.name, region.builtin ? make('small', {}, ' of the machine') : null),
        make(
          'p',
          {class: over ? 'used over' : 'used'},
          make('strong', {}, full(region.used)),
          ` of ${full(region.length)}`,
          region.stray ? '' : `, ${percent(region.used, region.length)}`,
          over ? ' \u2013 overflows' : '',
        ),
        make(
          'div',
          {class: 'zoom'},
          button('Zoom in', '+', () => strip.zoom(0.5)),
          button('Zoom out', '\u2212', () => strip.zoom(2)),
          button('Show the whole of', 'Whole', () => strip.setWindow(0, strip.length)),
        ),
      ),
      make(
        'p',
        {class: 'range'},
        make(
          'code',
          {},
          `${hex(region.origin, model.bits)} \u2013 ${hex(plus(region.origin, Math.max(0, region.length - 1)), model.bits)}`,
        ),
        region.loadOnly ? `; ${full(region.loadOnly)} only loaded from here` : '',
      ),
      strip.canvas,
      told,
      this.blockTable(contents, strip),
    );
  }

  blockTable(contents, strip) {
    return make(
      'details',
      {},
      make('summary', {}, `${contents.region.name} as a table`),
      makeTable({
        caption: `What stands in ${contents.region.name}`,
        hidden: true,
        rows: contents.blocks,
        columns: [
          addressColumn((block) => plus(contents.origin, block.from)),
          bytesColumn('Bytes', (block) => block.to - block.from, contents.region.length),
          {
            name: 'Name',
            value: (block) => block.name,
            cell: (block) =>
              make(
                'button',
                {
                  type: 'button',
                  class: 'plain',
                  onclick: () => {
                    strip.enter(block);
                    strip.canvas.scrollIntoView({block: 'center'});
                  },
                },
                block.name,
              ),
          },
          {name: 'What', value: (block) => KIND_WORDS[block.kind]},
          {name: 'Parts', number: true, value: (block) => (block.output ? block.output.count : 0)},
        ],
      }),
    );
  }

  tell(told, contents, item) {
    if (!item) {
      told.replaceChildren('\u00a0');
      return;
    }
    const part = item.part,
      where = `${hex(plus(contents.origin, item.from))} \u2013 ${hex(plus(contents.origin, item.to - 1))}`;
    const name = part ? model.partName(part) : item.name;
    told.replaceChildren(
      swatch(part ? part.category : item.category),
      make('strong', {}, name),
      ` ${part ? '' : KIND_WORDS[item.kind]}, ${full(item.to - item.from)}, `,
      make('code', {}, where),
      part ? make('span', {class: 'place'}, ' ' + (part.cause || model.partPlace(part))) : '',
    );
    if (document.activeElement && document.activeElement.tagName === 'CANVAS')
      say(told.textContent);
  }

  notLoaded() {
    const rows = model.outputs.filter((output) => !output.loaded && output.size);
    if (!rows.length) return null;
    return make(
      'section',
      {class: 'card'},
      makeTable({
        caption: 'Not loaded: in the file, in no memory',
        rows,
        sort: 1,
        columns: [
          {name: 'Section', value: (output) => output.name},
          bytesColumn('Bytes', (output) => output.size),
          {name: 'Parts', number: true, value: (output) => output.count},
        ],
      }),
    );
  }

  /** `route`: "", or "pN" for a part that is to be seen. */
  open(route) {
    this.drawing();
    const part = route[0] === 'p' ? model.parts[route.slice(1)] : null;
    for (const card of part ? this.cards : []) {
      const block = card.contents.blocks.find(
        (each) => each.kind === 'section' && each.output === part.output,
      );
      if (!block) continue;
      const item = card.strip.itemOf(block, part.index - part.output.first),
        size = Math.max(LEAST_WINDOW, item.to - item.from);
      card.strip.setWindow(item.from - 3 * size, item.to + 3 * size);
      card.strip.current = card.strip.hovered = item;
      card.strip.canvas.scrollIntoView({block: 'center'});
      card.strip.canvas.focus({preventScroll: true});
      this.tell(card.told, card.contents, item);
      return;
    }
  }
}
