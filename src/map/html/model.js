// The JSON map (src/map/README.md) with what the page looks up again and again: the parts
// and symbols of all output sections in one list each, addresses as numbers, who refers to
// whom by index. Made once, in time linear in the map.
'use strict';

const SHT_NOBITS = 8;

/** What parts are drawn as, with the words for it. */
const CATEGORIES = {
  code: 'Code',
  constant: 'Constants',
  data: 'Data',
  zero: 'Zeroed data',
  linker: 'Made by the linker',
  reserved: 'Set aside',
  padding: 'Padding',
  other: 'Not loaded',
};

/** The texts of the page's blocks of JSON. */
const blocks = {};

/** Takes the blocks. A large one is base64 of the zlib form of its text, which begins with "e". */
async function takeBlocks() {
  for (const id of ['map', 'changes', 'names']) {
    blocks[id] = document.getElementById(id).textContent.trim();
    if (!blocks[id].startsWith('e')) continue;
    const packed = Uint8Array.from(atob(blocks[id]), (each) => each.charCodeAt(0));
    const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    blocks[id] = await new Response(plain).text();
  }
}

/** Reads a block; null where it is empty. */
function readBlock(id) {
  return blocks[id] ? JSON.parse(blocks[id]) : null;
}

class Model {
  /** `map`: the JSON; `names`: readable names by those in the file. */
  constructor(map, names) {
    if (map.format !== 'xlink map' || ![1, 2, 3].includes(map.version))
      throw new Error(
        `this page shows xlink maps of versions 1 to 3, not '${map.format}' of version ${map.version}`,
      );
    this.map = map;
    this.names = names;
    this.bits = map.addressBits || 32;
    this.files = (map.files || []).map((file, index) => ({
      ...file,
      index,
      name: file.member ? `${file.path}(${file.member})` : file.path,
      parts: [],
      size: 0,
    }));
    this.regions = (map.regions || []).map((region, index) => ({
      reservations: [],
      loadOnly: 0,
      ...region,
      index,
      origin: addressOf(region.origin),
    }));
    this.patterns = map.patterns || [];
    this.parts = [];
    this.symbols = [];
    this.outputs = (map.outputs || []).map((output, index) => this.readOutput(output, index));
    this.absolutes = map.absolutes || [];
    this.references = [];
    for (const [from, ...targets] of map.references || [])
      for (const target of targets) {
        const [to, count, calls] = typeof target === 'number' ? [target, 1, 1] : target;
        this.references.push([from, to, count, calls]);
      }
    this.discarded = map.discarded || [];
    this.relocations = map.relocations || [];
    this.stacks = map.stacks || [];
    this.loaded = 0;
    for (const output of this.outputs) this.loaded += output.loaded ? output.size : 0;
    this.partNumbers = {};
  }

  readOutput(output, index) {
    const flags = (output.flags || '').replace(/0x.*/, '');
    const made = {
      ...output,
      index,
      flags,
      address: addressOf(output.address),
      size: output.size || 0,
      loaded: flags.includes('A'),
      bits: output.type !== SHT_NOBITS,
      first: this.parts.length,
    };
    made.loadAddress =
      output.loadAddress === undefined ? made.address : addressOf(output.loadAddress);
    made.loadRegion = output.loadRegion === undefined ? output.region : output.loadRegion;
    made.category = !made.loaded
      ? 'other'
      : flags.includes('X')
        ? 'code'
        : !flags.includes('W')
          ? 'constant'
          : made.bits
            ? 'data'
            : 'zero';
    for (const part of output.parts || []) this.readPart(part, made);
    made.parts = this.parts.slice(made.first);
    made.count = made.parts.length;
    return made;
  }

  readPart(part, output) {
    part.index = this.parts.length;
    part.output = output;
    part.kind = part.kind || 'input';
    part.address = addressOf(part.address);
    part.size = part.size || 0;
    part.reservation = this.reservationOf(part);
    part.category =
      part.kind === 'padding'
        ? part.reservation
          ? 'reserved'
          : 'padding'
        : part.kind === 'linker' && output.loaded
          ? 'linker'
          : output.category;
    part.first = this.symbols.length;
    for (const symbol of part.symbols || []) {
      symbol.index = this.symbols.length;
      symbol.part = part;
      symbol.address =
        symbol.address === undefined ? part.address : addressOf(symbol.address);
      symbol.size = symbol.size || 0;
      this.symbols.push(symbol);
    }
    part.symbols = part.symbols || [];
    this.parts.push(part);
    const file = this.files[part.file];
    if (file) {
      file.parts.push(part);
      file.size += output.loaded ? part.size : 0;
    }
  }

  /** What a part of padding is set aside for, a heap or a stack; undefined: for nothing. */
  reservationOf(part) {
    const region = part.kind === 'padding' && this.regions[part.output.region];
    if (!region) return undefined;
    return region.reservations.find((reservation) => {
      const from = distance(part.address, addressOf(reservation.address));
      return from >= 0 && from + part.size <= reservation.size && from < reservation.size;
    });
  }

  /** A name as people read it. */
  shown(name) {
    return this.names.get(name) || name;
  }

  fileName(index) {
    return this.files[index] ? this.files[index].name : '';
  }

  /** What a part is called: the symbol that stands for it, or its section. */
  partName(part) {
    const symbol = this.mainSymbol(part);
    if (symbol) return this.shown(symbol.name);
    return (
      part.name ||
      (part.kind === 'padding'
        ? part.reservation
          ? `${part.reservation.name} (${part.reservation.kind})`
          : part.cause || 'padding'
        : part.kind === 'data'
          ? 'data of the script'
          : '(no name)')
    );
  }

  /** The first function or object of a part, global ones first; others of its file are named alike. */
  mainSymbol(part) {
    let best = null,
      rank = -1;
    for (const symbol of part.symbols) {
      const typed = symbol.kind === 'function' || symbol.kind === 'object' || symbol.kind === 'tls';
      const value = (typed ? 2 : 0) + (symbol.local ? 0 : 1);
      if (value > rank && symbol.kind !== 'section') [best, rank] = [symbol, value];
    }
    return rank > 0 ? best : null;
  }

  /** "uart.o:(.text.send)" */
  partPlace(part) {
    const section = part.name ? `(${part.name})` : `(${part.kind})`;
    return part.file === undefined ? section : `${this.fileName(part.file)}:${section}`;
  }

  /** References of part `index`: {part, count, call} of those that it refers to. */
  refersTo(index) {
    return this.neighbours('from', 0, 1, index);
  }
  /** The same of those that refer to it. */
  referredBy(index) {
    return this.neighbours('to', 1, 0, index);
  }

  neighbours(name, key, value, index) {
    const order = this.partNumbers[name] || (this.partNumbers[name] = this.sortedBy(key));
    const found = [];
    for (let i = order.begins[index]; i < order.begins[index + 1]; ++i) {
      const reference = this.references[order.items[i]];
      if (this.parts[reference[value]] && reference[0] !== reference[1])
        found.push({
          part: this.parts[reference[value]],
          count: reference[2],
          call: Boolean(reference[3]),
        });
    }
    return found.sort((a, b) => b.count - a.count || a.part.index - b.part.index);
  }

  /** The references by their member `key`: those of part n stand from begins[n] on. */
  sortedBy(key) {
    const begins = new Uint32Array(this.parts.length + 2);
    for (const reference of this.references) ++begins[reference[key] + 2];
    for (let i = 2; i < begins.length; ++i) begins[i] += begins[i - 1];
    const items = new Uint32Array(this.references.length);
    this.references.forEach((reference, i) => {
      items[begins[reference[key] + 1]++] = i;
    });
    return {begins, items};
  }

  /** From a part to what keeps it alive, up to a root. */
  whyLive(part) {
    const chain = [part],
      seen = new Set(chain);
    while (part.from !== undefined && this.parts[part.from] && !seen.has(this.parts[part.from])) {
      part = this.parts[part.from];
      seen.add(part);
      chain.push(part);
    }
    return chain;
  }

  /** The part at an address in memory, or null. */
  partAt(address) {
    for (const output of this.outputs) {
      if (
        !output.loaded ||
        address < output.address ||
        distance(address, output.address) >= output.size
      )
        continue;
      let low = 0,
        high = output.count;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (output.parts[middle].address <= address) low = middle + 1;
        else high = middle;
      }
      const part = output.parts[low - 1];
      if (part && distance(address, part.address) < part.size) return part;
    }
    return null;
  }
}
