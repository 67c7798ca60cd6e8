// Problem: to find one of a hundred thousand names while its letters are typed.
//
// Method: names in lower case stand in one list. A search scans it for the text: a name that
// is it comes first, then what begins with it, what has a word that does, what has it
// anywhere. Where these are few, names count that have its letters in their order. An address
// finds what stands there.
//
// Cost: some milliseconds for each letter; a list as long as the names, made when the first
// letter is typed.
'use strict';

const MOST_FOUND = 60;

class Search {
  constructor() {
    this.input = document.getElementById('search');
    this.list = document.getElementById('results');
    this.entries = null;
    this.found = [];
    this.chosen = -1;
    this.input.addEventListener('input', () => this.run());
    this.input.addEventListener('focus', () => {
      if (this.input.value) this.run();
    });
    this.input.addEventListener('blur', () => setTimeout(() => this.close(), 150));
    this.input.addEventListener('keydown', (event) => this.key(event));
    this.list.addEventListener('mousedown', (event) => event.preventDefault());
    document.addEventListener('keydown', (event) => {
      const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
      if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        this.input.focus();
        this.input.select();
      }
    });
  }

  index() {
    const entries = [],
      seen = new Set();
    const add = (name, what, hash, item, other) =>
      entries.push({
        name,
        what,
        hash,
        item,
        lower: name.toLowerCase(),
        other: other && other !== name ? other.toLowerCase() : '',
      });
    for (const region of model.regions) add(region.name, 'region', 'memory', region);
    for (const file of model.files) add(file.name, 'file', 'file/' + file.index, file);
    for (const symbol of model.symbols)
      if (symbol.kind !== 'section') {
        add(
          model.shown(symbol.name),
          SYMBOL_KINDS[symbol.kind] || 'label',
          'symbol/' + symbol.index,
          symbol,
          symbol.name,
        );
        seen.add(symbol.part.index);
      }
    for (const part of model.parts)
      if (part.name && part.kind !== 'padding' && !seen.has(part.index))
        add(part.name, 'section', 'part/' + part.index, part);
    return entries;
  }

  run() {
    const text = this.input.value.trim();
    this.chosen = -1;
    this.found = text ? this.find(text) : [];
    this.draw(text);
  }

  find(text) {
    this.entries = this.entries || this.index();
    const wanted = text.toLowerCase(),
      groups = [[], [], [], []];
    const found = /^0x[0-9a-f]+$/.test(wanted) ? this.findAddress(wanted) : [];
    for (const entry of this.entries) {
      let at = entry.lower.indexOf(wanted);
      if (at < 0 && entry.other) at = entry.other.indexOf(wanted) < 0 ? -1 : 1e6;
      if (at < 0) continue;
      const rank =
        at === 0
          ? entry.lower.length === wanted.length
            ? 0
            : 1
          : /[a-z0-9]/.test(entry.lower[at - 1] || 'a')
            ? 3
            : 2;
      if (groups[rank].length < MOST_FOUND) groups[rank].push(entry);
    }
    found.push(...groups.flat());
    if (found.length < 8 && wanted.length > 2) this.findLoosely(wanted, found);
    return found.slice(0, MOST_FOUND);
  }

  findAddress(text) {
    const part = model.partAt(addressOf(text));
    if (!part) return [];
    const address = addressOf(text);
    const symbol = part.symbols.find(
      (each) => each.address <= address && distance(address, each.address) < Math.max(1, each.size),
    );
    return [
      symbol
        ? {
            name: model.shown(symbol.name),
            what: 'at this address',
            hash: 'symbol/' + symbol.index,
            item: symbol,
          }
        : {
            name: model.partPlace(part),
            what: 'at this address',
            hash: 'part/' + part.index,
            item: part,
          },
    ];
  }

  /** Adds names that have the letters in this order. */
  findLoosely(wanted, found) {
    const had = new Set(found);
    for (const entry of this.entries) {
      let at = -1;
      for (let i = 0; i < wanted.length && (i === 0 || at >= 0); ++i)
        at = entry.lower.indexOf(wanted[i], at + 1);
      if (at >= 0 && !had.has(entry) && found.push(entry) >= MOST_FOUND) return;
    }
  }

  draw(text) {
    const options = this.found.map((entry, i) =>
      make(
        'li',
        {role: 'option', id: 'result-' + i, 'aria-selected': 'false', onclick: () => this.open(i)},
        make('span', {class: 'name'}, entry.name),
        make('small', {}, `${entry.what}${entry.item.size ? ', ' + short(entry.item.size) : ''}`),
      ),
    );
    if (text && !options.length)
      options.push(
        make(
          'li',
          {class: 'nothing', role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false'},
          `Nothing is called like '${text}'.`,
        ),
      );
    this.list.replaceChildren(...options);
    this.list.hidden = !text;
    this.input.setAttribute('aria-expanded', String(Boolean(text)));
    this.input.removeAttribute('aria-activedescendant');
    if (text)
      say(
        this.found.length >= MOST_FOUND
          ? `the first ${MOST_FOUND} found`
          : count(this.found.length, 'result'),
      );
  }

  choose(i) {
    const options = this.list.children;
    if (options[this.chosen]) options[this.chosen].setAttribute('aria-selected', 'false');
    this.chosen = Math.min(this.found.length - 1, Math.max(0, i));
    if (!options[this.chosen]) return;
    options[this.chosen].setAttribute('aria-selected', 'true');
    options[this.chosen].scrollIntoView({block: 'nearest'});
    this.input.setAttribute('aria-activedescendant', 'result-' + this.chosen);
  }

  open(i) {
    const entry = this.found[i];
    if (!entry) return;
    this.close();
    this.input.blur();
    go(entry.hash);
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute('aria-expanded', 'false');
  }

  key(event) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      this.choose(this.chosen + (event.key === 'ArrowDown' ? 1 : -1));
    else if (event.key === 'Enter') this.open(Math.max(0, this.chosen));
    else if (event.key === 'Escape') {
      if (this.list.hidden) this.input.value = '';
      this.close();
    } else return;
    event.preventDefault();
  }
}
