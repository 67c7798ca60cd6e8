// Problem: a region of megabytes to scale on a line of some hundred pixels, with every
// section, part, gap and reservation in it, and a way from the whole to single bytes.
//
// Method: blocks and parts are sorted by their offset in the region. A window, [from, to),
// is drawn across the canvas: blocks with their names, below them the parts, below those an
// axis in addresses. What is narrower than a pixel is drawn together with its neighbours.
// Offsets are numbers; addresses, which may be of 64 bits, are only made for labels.
//
// Cost: a binary search for the window's first part, then the parts in the window.
'use strict';

const LEAST_WINDOW = 16; // bytes

/** A part at a place of its region: where it runs or from where it is loaded. */
function partIn(block, number) {
  return block.output.parts[number];
}

/**
 * A region's picture. `blocks`: {from, to, kind, name, category, output}, by `from`, without
 * holes. `show(item)`: somebody looks at a block or part, or at none.
 */
class Strip {
  constructor({region, length, origin, blocks, show}) {
    Object.assign(this, {
      length,
      origin,
      blocks,
      show,
      from: 0,
      to: length,
      current: null,
      hovered: null,
      drag: null,
    });
    for (const block of blocks)
      if (block.output)
        block.starts = Float64Array.from(
          block.output.parts,
          (part) => block.from + distance(part.address, block.output.address),
        );
    this.canvas = make('canvas', {
      class: 'strip',
      tabindex: '0',
      role: 'application',
      'aria-label': `Memory of ${region} to scale. Left and right choose, Enter zooms in, Escape zooms out, plus, minus and Home zoom. The table below has the same.`,
      onkeydown: (event) => this.key(event),
      onclick: (event) => this.click(event),
      onpointerdown: (event) => {
        this.drag = {x: event.clientX, from: this.from, moved: false};
      },
      onpointermove: (event) => this.move(event),
      onpointerup: () => {
        this.drag = this.drag && this.drag.moved ? this.drag : null;
      },
      onpointerleave: () => {
        this.drag = null;
        this.look(null, false);
      },
      onfocus: () => this.draw(),
      onblur: () => this.draw(),
    });
    this.canvas.addEventListener('wheel', (event) => this.wheel(event), {passive: false});
  }

  /** Shows [from, to), as far as there is such a piece of the region. */
  setWindow(from, to) {
    const size = Math.min(this.length, Math.max(LEAST_WINDOW, to - from));
    this.from = Math.min(Math.max(0, from), this.length - size);
    this.to = this.from + size;
    this.draw();
  }
  zoom(factor, middle = (this.from + this.to) / 2) {
    this.setWindow(middle - (middle - this.from) * factor, middle + (this.to - middle) * factor);
  }
  get whole() {
    return this.from <= 0 && this.to >= this.length;
  }

  x(offset) {
    return ((offset - this.from) / (this.to - this.from)) * this.width;
  }
  offset(x) {
    return this.from + (x / this.width) * (this.to - this.from);
  }

  draw() {
    if (!this.canvas.isConnected) return;
    const {context, width, height} = prepare(this.canvas);
    Object.assign(this, {context, width, height});
    this.overview();
    for (const block of this.blocks)
      if (block.to > this.from && block.from < this.to) this.drawBlock(block);
    for (const block of this.blocks)
      if (block.output && block.to > this.from && block.from < this.to) this.drawParts(block);
    this.axis();
    const marked =
      document.activeElement === this.canvas ? this.current || this.hovered : this.hovered;
    if (marked) this.mark(marked);
  }

  /** The whole region, and which piece of it the rest shows. */
  overview() {
    const {context, width} = this,
      colors = palette();
    context.fillStyle = colors.free;
    context.fillRect(0, 0, width, 8);
    for (const block of this.blocks) {
      if (block.kind === 'gap' || block.kind === 'free') continue;
      context.fillStyle = colors[block.category];
      context.fillRect(
        (block.from / this.length) * width,
        0,
        Math.max(1, ((block.to - block.from) / this.length) * width),
        8,
      );
    }
    if (this.whole) return;
    const left = (this.from / this.length) * width,
      right = (this.to / this.length) * width;
    context.strokeStyle = colors.ink;
    context.lineWidth = 2;
    context.strokeRect(left - 1, 1, Math.max(4, right - left + 2), 8);
  }

  drawBlock(block) {
    const {context} = this,
      colors = palette();
    const left = Math.max(-2, this.x(block.from)),
      right = Math.min(this.width + 2, this.x(block.to));
    const wide = Math.max(1, right - left),
      bare = block.kind === 'gap' || block.kind === 'free';
    context.fillStyle = bare
      ? colors.free
      : block.kind === 'section'
        ? colors[block.category]
        : colors.card;
    context.fillRect(left, 14, wide, 40);
    if (block.kind === 'reservation' || block.kind === 'load') {
      context.fillStyle = hatch(
        context,
        block.kind === 'load' ? colors[block.category] : colors.soft,
        block.kind === 'load',
      );
      context.fillRect(left, 14, wide, 40);
    }
    if (wide < 3) return;
    context.strokeStyle = bare ? colors.line : colors.page;
    context.lineWidth = 1;
    context.strokeRect(left + 0.5, 14.5, wide - 1, 39);
    const seenLeft = Math.max(0, left),
      text = fitted(context, block.name, Math.min(this.width, right) - seenLeft - 10);
    if (!text) return;
    if (block.kind === 'reservation' || block.kind === 'load') {
      // letters on lines need a ground
      context.fillStyle = colors.card;
      context.fillRect(seenLeft + 3, 17, context.measureText(text).width + 5, 16);
    }
    context.fillStyle = block.kind === 'section' ? colors['on-' + block.category] : colors.ink;
    context.fillText(text, seenLeft + 6, 26);
    context.globalAlpha = block.kind === 'section' ? 1 : 0.85;
    const size = fitted(
      context,
      short(block.to - block.from),
      Math.min(this.width, right) - seenLeft - 10,
    );
    if (block.kind === 'section' || bare) context.fillText(size, seenLeft + 6, 43);
    context.globalAlpha = 1;
  }

  /** The first part of a block that ends behind the window's begin. */
  firstPart(block, offset) {
    let low = 0,
      high = block.starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (block.starts[middle] <= offset) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  drawParts(block) {
    const {context} = this,
      colors = palette(),
      starts = block.starts;
    let drawn = -1;
    context.lineWidth = 1;
    for (let i = this.firstPart(block, this.from); i < starts.length && starts[i] < this.to; ++i) {
      const part = partIn(block, i),
        left = this.x(starts[i]),
        right = this.x(starts[i] + part.size);
      if (right <= drawn) continue;
      const wide = Math.max(1, right - left);
      context.fillStyle = colors[part.category];
      context.globalAlpha = block.kind === 'load' ? 0.45 : i % 2 ? 0.72 : 1;
      context.fillRect(left, 58, wide, 26);
      context.globalAlpha = 1;
      drawn = Math.max(right, left + 1);
      const seenLeft = Math.max(0, left),
        room = Math.min(this.width, right) - seenLeft - 8;
      if (room < 30) continue;
      context.strokeStyle = colors.page;
      context.strokeRect(left + 0.5, 58.5, wide - 1, 25);
      const text = fitted(context, model.partName(part), room - 2);
      if (text) {
        context.fillStyle = colors.card;
        context.fillRect(seenLeft + 3, 63, context.measureText(text).width + 4, 16);
        context.fillStyle = colors.ink;
        context.fillText(text, seenLeft + 5, 71);
      }
    }
  }

  axis() {
    const {context, width} = this,
      colors = palette();
    const digits = Math.max(8, hex(plus(this.origin, this.length)).length - 2),
      label = digits * 7.5 + 24;
    let step = 1;
    while (this.x(this.from + step) < label) step *= 2;
    // Ticks stand at round addresses, not at round offsets.
    const first = Number(BigInt(plus(this.origin, Math.floor(this.from))) % BigInt(step));
    context.fillStyle = context.strokeStyle = colors.soft;
    context.lineWidth = 1;
    context.beginPath();
    for (
      let offset = Math.floor(this.from) + ((step - first) % step);
      offset <= this.to;
      offset += step
    ) {
      const x = Math.min(width - 0.5, Math.round(this.x(offset)) + 0.5),
        text = hex(plus(this.origin, offset));
      context.moveTo(x, 88);
      context.lineTo(x, 94);
      if (x + context.measureText(text).width < width) context.fillText(text, x, 102);
    }
    context.moveTo(0, 88.5);
    context.lineTo(width, 88.5);
    context.stroke();
  }

  mark(item) {
    const left = Math.max(1.5, this.x(item.from)),
      right = Math.min(this.width - 1.5, this.x(item.to));
    this.context.strokeStyle =
      document.activeElement === this.canvas && item === this.current
        ? palette().focus
        : palette().ink;
    this.context.lineWidth = 3;
    this.context.strokeRect(
      left,
      item.part ? 59 : 15,
      Math.max(3, right - left),
      item.part ? 24 : 38,
    );
  }

  /** What stands at a place of the canvas: a part in the lower row, else a block. */
  at(event) {
    const box = this.canvas.getBoundingClientRect(),
      offset = this.offset(event.clientX - box.left);
    const block = this.blocks.find((each) => offset >= each.from && offset < each.to);
    return block && block.output && event.clientY - box.top > 56
      ? this.itemOf(block, this.firstPart(block, offset))
      : block || null;
  }
  itemOf(block, number) {
    const part = partIn(block, number);
    return part
      ? {block, number, part, from: block.starts[number], to: block.starts[number] + part.size}
      : block;
  }

  look(item, keys) {
    const same = (a, b) =>
      a === b || (a && b && a.part && a.part === b.part && a.block === b.block);
    if (same(item, keys ? this.current : this.hovered)) return;
    this[keys ? 'current' : 'hovered'] = item;
    this.show(item || this.current);
    this.draw();
  }

  move(event) {
    if (!this.drag) {
      this.look(this.at(event), false);
      return;
    }
    const shift = event.clientX - this.drag.x;
    if (Math.abs(shift) > 4) this.drag.moved = true;
    if (this.drag.moved) {
      const from = this.drag.from - (shift / this.width) * (this.to - this.from);
      this.setWindow(from, from + this.to - this.from);
    }
  }

  click(event) {
    const moved = this.drag && this.drag.moved;
    this.drag = null;
    if (!moved) this.enter(this.at(event));
  }

  /** Into a block or part; of a part that fills the window already, its page. */
  enter(item) {
    if (!item) return;
    const size = item.to - item.from,
      filled = size > (this.to - this.from) * 0.7;
    if (
      item.part &&
      item.part.kind !== 'padding' &&
      (filled || size >= (this.to - this.from) / 4)
    ) {
      go('part/' + item.part.index);
      return;
    }
    const margin = Math.max(1, size * 0.04);
    this.setWindow(item.from - margin, item.to + margin);
    say(`showing ${this.windowText()}`);
  }

  windowText() {
    return `${hex(plus(this.origin, Math.floor(this.from)))} to ${hex(plus(this.origin, Math.ceil(this.to)))}`;
  }

  wheel(event) {
    if (!zoomsWithWheel(event)) return;
    event.preventDefault();
    this.zoom(
      event.deltaY < 0 ? 0.8 : 1.25,
      this.offset(event.clientX - this.canvas.getBoundingClientRect().left),
    );
  }

  key(event) {
    const actions = {
      '+': () => this.zoom(0.5),
      '=': () => this.zoom(0.5),
      '-': () => this.zoom(2),
      Home: () => this.setWindow(0, this.length),
      Escape: () => (this.whole ? this.look(null, true) : this.zoom(4)),
      Enter: () => this.enter(this.current),
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
    };
    if (!actions[event.key]) return;
    actions[event.key]();
    event.preventDefault();
  }

  /** To the next block; to the next part where one block has most of the window. */
  step(by) {
    const inside = this.blocks.find(
      (block) =>
        block.output &&
        block.output.count &&
        Math.min(block.to, this.to) - Math.max(block.from, this.from) > 0.6 * (this.to - this.from),
    );
    let next;
    if (inside && !this.whole) {
      const now =
        this.current && this.current.block === inside
          ? this.current.number + by
          : this.firstPart(inside, Math.max(this.from, inside.from));
      next = this.itemOf(inside, Math.min(inside.output.count - 1, Math.max(0, now)));
    } else {
      const now = this.blocks.indexOf((this.current && this.current.block) || this.current);
      next = this.blocks[Math.min(this.blocks.length - 1, Math.max(0, now + by))];
    }
    this.look(next, true);
    if (
      next &&
      (next.from < this.from || next.to > this.to) &&
      next.to - next.from < this.to - this.from
    )
      this.setWindow(
        (next.from + next.to - this.to + this.from) / 2,
        (next.from + next.to + this.to - this.from) / 2,
      );
  }
}
