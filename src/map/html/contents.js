// What takes how much: archives, their objects, the sections of these, the symbols in them.
'use strict';

/** Something that takes room. Children are made when they are first asked for. */
class Node {
  constructor(key, name, what, parent, rest) {
    Object.assign(
      this,
      {
        key,
        name,
        what,
        parent,
        size: 0,
        category: 'other',
        part: null,
        file: null,
        symbol: null,
        members: null,
        sums: null,
      },
      rest,
    );
  }

  /** Largest first. */
  children() {
    if (typeof this.members === 'function') this.members = this.members();
    if (!this.members) this.members = [];
    if (!this.sorted) {
      this.members.sort((a, b) => b.size - a.size);
      this.sorted = true;
    }
    return this.members;
  }

  /** Adds a part's bytes here and above, and takes the colour of what is most. */
  count(part) {
    for (let node = this; node; node = node.parent) {
      node.size += part.size;
      node.sums = node.sums || {};
      const sum = (node.sums[part.category] = (node.sums[part.category] || 0) + part.size);
      if (!node.sums[node.category] || sum > node.sums[node.category])
        node.category = part.category;
    }
  }
}

/** Stretches of a part by the symbols that have a size; what overlaps counts once. */
function symbolNodes(node) {
  const part = node.part;
  const made = [];
  const add = (key, name, what, size, symbol) =>
    made.push(new Node(key, name, what, node, {size, category: part.category, symbol, part}));
  let place = part.address;
  let left = part.size;
  let other = 0;
  const sized = part.symbols.filter((symbol) => symbol.size && symbol.kind !== 'section');
  sized.forEach((symbol, i) => {
    const before = distance(symbol.address, place);
    const next = sized[i + 1];
    if (before < 0 || before > left) return;
    const room = next ? distance(next.address, symbol.address) : Infinity;
    const size = Math.min(symbol.size, room, left - before);
    if (size <= 0) return;
    other += before;
    left -= before + size;
    place = plus(symbol.address, size);
    add('s' + symbol.index, model.shown(symbol.name), 'symbol', size, symbol);
  });
  other += left;
  if (made.length && other > 0) add('', 'without a symbol', 'rest', other, null);
  return made.length > 1 ? made : [];
}

/** The one function or object of a part, if there is one; labels in it do not count. */
function onlySymbol(part) {
  const typed = part.symbols.filter((symbol) => symbol.kind && symbol.kind !== 'section');
  return typed.length === 1 ? typed[0] : typed.length ? null : model.mainSymbol(part);
}

function partNodes(node, parts) {
  return parts.map((part) => {
    const symbol = onlySymbol(part);
    const made = new Node(
      'p' + part.index,
      symbol ? model.shown(symbol.name) : part.name || model.partName(part),
      'section',
      node,
      {size: part.size, category: part.category, part},
    );
    made.members = () => symbolNodes(made);
    return made;
  });
}

/** What stands beside the files. */
const GROUPS = {
  padding: 'Padding',
  reserved: 'Room set aside',
  linker: 'Made by the linker',
  data: 'Data of the script',
};
/** Whose a part is that has no file. */
function groupOf(part) {
  if (part.reservation) return 'reserved';
  return part.kind in GROUPS ? part.kind : 'data';
}

/** The tree of what is loaded, or of everything that stands in the file. */
class ContentsTree {
  constructor(everything) {
    this.root = new Node('', model.map.output || 'Output', 'output', null, {members: []});
    this.byKey = new Map([['', this.root]]);
    const inFile = new Map();
    for (const part of model.parts) {
      if (!part.size || !(everything || part.output.loaded)) continue;
      const holder = this.holder(part);
      holder.count(part);
      if (!inFile.has(holder)) inFile.set(holder, []);
      inFile.get(holder).push(part);
    }
    for (const output of model.outputs) this.addGaps(output, everything, inFile);
    for (const [holder, parts] of inFile) holder.members = () => partNodes(holder, parts);
  }

  /** What no part has, so that the sum is that of the output sections. */
  addGaps(output, everything, inFile) {
    const size = output.parts.reduce((rest, part) => rest - part.size, output.size);
    if (size <= 0 || !output.count || !(everything || output.loaded)) return;
    const {address, name} = output;
    const gap = {
      kind: 'padding',
      category: 'padding',
      index: -1,
      symbols: [],
      size,
      address,
      output,
      cause: `between the parts of ${name}`,
    };
    const holder = this.holder(gap);
    holder.count(gap);
    inFile.set(holder, [...(inFile.get(holder) || []), gap]);
  }

  holder(part) {
    const file = model.files[part.file];
    if (!file) {
      const key = groupOf(part);
      return this.add(key, GROUPS[key], 'group', this.root);
    }
    if (!file.member) return this.add('f' + file.index, file.name, 'object', this.root, {file});
    const archive = this.add('a' + file.path, file.path, 'archive', this.root);
    return this.add('f' + file.index, file.member, 'object', archive, {file});
  }

  add(key, name, what, parent, rest) {
    let node = this.byKey.get(key);
    if (!node) {
      node = new Node(key, name, what, parent, {members: [], ...rest});
      this.byKey.set(key, node);
      parent.members.push(node);
    }
    return node;
  }

  /** The node that a link names; the root where there is none. */
  find(key) {
    if (key[0] === 'p' && model.parts[key.slice(1)]) {
      const part = model.parts[key.slice(1)];
      const holder =
        this.byKey.get(model.files[part.file] ? 'f' + part.file : groupOf(part)) || this.root;
      return holder.children().find((node) => node.key === key) || this.root;
    }
    return this.byKey.get(key) || this.root;
  }
}

class ContentsView {
  constructor() {
    this.trees = {};
    this.everything = false;
    this.map = new Treemap({
      choose: (node) => this.choose(node),
      leave: () => this.leave(),
      show: (node) => this.tell(node),
    });
    this.path = make('nav', {class: 'path', 'aria-label': 'Where in the contents'});
    this.told = make('p', {class: 'told'});
    this.list = make('div', {class: 'card'});
    this.key = make('div');
    this.switch = make('input', {
      type: 'checkbox',
      id: 'everything',
      onchange: () => {
        this.everything = this.switch.checked;
        go('contents' + (this.everything ? '/+' : ''));
      },
    });
    this.element = make(
      'div',
      {},
      make(
        'div',
        {class: 'row'},
        this.path,
        make('label', {class: 'check', for: 'everything'}, this.switch, ' with what is not loaded'),
      ),
      this.map.canvas,
      this.told,
      this.key,
      this.list,
    );
    this.drawing = () => this.map.draw();
  }

  tree() {
    return (
      this.trees[this.everything] ||
      (this.trees[this.everything] = new ContentsTree(this.everything))
    );
  }

  /** `route`: KEY or ""; with "+/" in front of what is not loaded. */
  open(route) {
    this.everything = route[0] === '+';
    this.switch.checked = this.everything;
    const key = this.everything ? route.slice(2) : route;
    const focused = document.activeElement === this.map.canvas;
    this.node = this.tree().find(key);
    this.fillPath();
    this.fillList();
    this.key.replaceChildren(
      legend(
        Object.keys(CATEGORIES).filter(
          (category) => (this.node.sums || {})[category] || category === this.node.category,
        ),
      ),
    );
    this.map.open(this.node);
    this.tell(null);
    if (focused)
      say(
        `${this.node.name}, ${full(this.node.size)}, ${count(this.node.children().length, 'entry', 'entries')}`,
      );
  }

  routeOf(node) {
    return (
      'contents' +
      (this.everything ? '/+' : '') +
      (node.key ? '/' + encodeURIComponent(node.key) : '')
    );
  }

  choose(node) {
    if (node.children().length) go(this.routeOf(node));
    else if (node.symbol) go('symbol/' + node.symbol.index);
    else if (node.part && node.part.kind !== 'padding') go('part/' + node.part.index);
  }
  leave() {
    if (this.node.parent) go(this.routeOf(this.node.parent));
  }

  tell(node) {
    const shown = node || this.node;
    const pieces = [make('strong', {}, shown.name), `, ${full(shown.size)}`];
    if (node) pieces.push(`, ${percent(node.size, this.node.size)} of ${this.node.name}`);
    if (shown.part)
      pieces.push(
        make(
          'span',
          {class: 'place'},
          ` ${model.partPlace(shown.part)} at ${hex(shown.part.address)}`,
        ),
      );
    this.told.replaceChildren(swatch(shown.category), ...pieces);
    if (node && document.activeElement === this.map.canvas) say(this.told.textContent);
  }

  fillPath() {
    const steps = [];
    for (let node = this.node; node; node = node.parent) steps.unshift(node);
    this.path.replaceChildren(
      make(
        'ol',
        {},
        steps.map((node) =>
          make(
            'li',
            {},
            node === this.node
              ? make('span', {'aria-current': 'location'}, node.name)
              : link(this.routeOf(node), node.name),
          ),
        ),
      ),
    );
  }

  fillList() {
    const rows = this.node.children();
    if (!rows.length) {
      this.list.replaceChildren(empty('Nothing here takes room.'));
      return;
    }
    this.list.replaceChildren(
      makeTable({
        caption: `${count(rows.length, 'entry', 'entries')} in ${this.node.name}, ${full(this.node.size)}`,
        rows,
        sort: 2,
        columns: [
          {
            name: 'Name',
            wide: true,
            value: (node) => node.name,
            cell: (node) => [swatch(node.category), this.nodeLink(node)],
          },
          {
            name: 'What',
            value: (node) =>
              node.what === 'section' && node.part.name ? node.part.name : node.what,
            wide: true,
          },
          bytesColumn('Bytes', (node) => node.size, this.node.size),
          {
            name: 'Share',
            value: (node) => node.size,
            cell: (node) => bar(node.size, rows[0].size, node.category),
          },
        ],
      }),
    );
  }

  nodeLink(node) {
    if (node.children().length) return link(this.routeOf(node), node.name);
    return node.symbol
      ? symbolLink(node.symbol)
      : node.part && node.part.kind !== 'padding'
        ? link('part/' + node.part.index, node.name)
        : node.name;
  }
}
