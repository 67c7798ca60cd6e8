// Problem: to show how much each of up to a hundred thousand things takes, so that areas
// are to scale, shapes can be compared and the whole is drawn while one looks.
//
// Method: squarified treemaps (Bruls, Huizing, van Wijk, 2000): items go, largest first,
// into rows along the shorter side; an item joins the row as long as the worst proportion of
// the row gets better by it. What would be smaller than a pixel and a half is drawn as one
// grey rest. Items are drawn with what is inside of them where there is room for a title.
//
// Cost: sorting the items of each level that is drawn; rectangles are as many as pixels have
// room for, whatever the number of items.
'use strict';

const SMALLEST = 1.5; // pixels of area that are worth a rectangle

/** The worst proportion in a row of areas between `least` and `most`, `sum` in all. */
function worst(sum, least, most, side) {
  const square = side * side,
    total = sum * sum;
  return Math.max((square * most) / total, total / (square * least));
}

/**
 * Rectangles {node, x, y, w, h} for `nodes`, largest first, in a rectangle. Nodes have `size`;
 * what is too small to be drawn is one rectangle with `rest`, their number.
 */
function squarify(nodes, x, y, w, h) {
  const made = [];
  let total = 0;
  for (const node of nodes) total += node.size;
  const scale = total > 0 ? (w * h) / total : 0;
  let begin = 0;
  while (begin < nodes.length && w > 0 && h > 0) {
    const side = Math.min(w, h),
      first = nodes[begin].size * scale;
    if (first < SMALLEST) {
      made.push({node: null, rest: nodes.length - begin, x, y, w, h});
      return made;
    }
    let end = begin,
      sum = 0;
    while (end < nodes.length) {
      const area = nodes[end].size * scale;
      if (
        area <= 0 ||
        (end > begin &&
          worst(sum + area, area, first, side) >
            worst(sum, nodes[end - 1].size * scale, first, side))
      )
        break;
      sum += area;
      ++end;
    }
    const depth = sum / side;
    let along = 0;
    for (let i = begin; i < end; ++i) {
      const length = (nodes[i].size * scale) / depth;
      made.push(
        w >= h
          ? {node: nodes[i], x, y: y + along, w: depth, h: length}
          : {node: nodes[i], x: x + along, y, w: length, h: depth},
      );
      along += length;
    }
    if (w >= h) {
      x += depth;
      w -= depth;
    } else {
      y += depth;
      h -= depth;
    }
    begin = end;
  }
  return made;
}

/** Of a path the end, which tells more than its beginning. */
function labelOf(node) {
  return node.what === 'archive' || node.what === 'object' ? baseName(node.name) : node.name;
}

/**
 * A treemap in a canvas. `choose(node)`: somebody wants into a node; `leave()`: out;
 * `show(node)`: one is under the pointer or has the focus, or none.
 */
class Treemap {
  constructor({choose, leave, show}) {
    Object.assign(this, {
      choose,
      leave,
      show,
      node: null,
      tops: [],
      rects: [],
      current: null,
      hovered: null,
    });
    this.canvas = make('canvas', {
      class: 'treemap',
      tabindex: '0',
      role: 'application',
      'aria-label':
        'Treemap of the contents. Arrow keys choose, Enter goes in, Escape goes out. The table below has the same.',
      onkeydown: (event) => this.key(event),
      onclick: (event) => this.click(event),
      onmousemove: (event) => this.hover(event),
      onmouseleave: () => this.setHovered(null),
      onfocus: () => this.draw(),
      onblur: () => this.draw(),
    });
    this.canvas.addEventListener('wheel', (event) => this.wheel(event), {passive: false});
    this.lastWheel = -Infinity;
  }

  /** Shows what is inside of a node. */
  open(node) {
    this.node = node;
    this.current = null;
    this.hovered = null;
    this.draw();
  }

  draw() {
    if (!this.node || !this.canvas.isConnected) return;
    const {context, width, height} = prepare(this.canvas);
    this.rects = [];
    this.tops = this.layOut(context, this.node, 0, 0, width, height, 0);
    const marked = this.tops.find((rect) => rect.node === this.current);
    if (marked && document.activeElement === this.canvas)
      this.frame(context, marked, palette().focus, 3);
    else if (this.hovered) this.frame(context, this.hovered, palette().ink, 1.5);
  }

  frame(context, rect, color, width) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.strokeRect(
      rect.x + width / 2,
      rect.y + width / 2,
      Math.max(1, rect.w - width),
      Math.max(1, rect.h - width),
    );
  }

  /** Draws what is in a node; returns the rectangles of its own children. */
  layOut(context, node, x, y, w, h, depth) {
    const rects = squarify(node.children(), x, y, w, h);
    for (const rect of rects) {
      rect.depth = depth;
      this.rects.push(rect);
      const inner =
        rect.node && depth < 3 && rect.w > 46 && rect.h > 40 && rect.node.children().length > 1;
      this.fill(context, rect, inner);
      if (inner)
        this.layOut(
          context,
          rect.node,
          rect.x + 2,
          rect.y + 17,
          rect.w - 4,
          rect.h - 19,
          depth + 1,
        );
    }
    return rects;
  }

  fill(context, rect, titled) {
    const colors = palette(),
      category = rect.node ? rect.node.category : 'padding';
    context.fillStyle = titled ? colors.card : colors[category];
    context.fillRect(rect.x, rect.y, rect.w, rect.h);
    if (rect.w > 3 && rect.h > 3) {
      context.strokeStyle = titled ? colors.soft : colors.page;
      context.lineWidth = 1;
      context.strokeRect(rect.x + 0.5, rect.y + 0.5, rect.w - 1, rect.h - 1);
    }
    if (rect.h < 14 || rect.w < 28) return;
    context.fillStyle = titled ? colors.ink : colors['on-' + category];
    const name = rect.node ? labelOf(rect.node) : `${grouped(rect.rest)} smaller`;
    const text = fitted(context, name, rect.w - 8);
    context.fillText(text, rect.x + 4, rect.y + 9);
    if (rect.node && text === name) {
      const used = context.measureText(text).width,
        size = short(rect.node.size);
      if (titled || rect.h < 32) {
        if (used + context.measureText(size).width + 20 < rect.w) {
          context.globalAlpha = 0.8;
          context.fillText(size, rect.x + used + 12, rect.y + 9);
          context.globalAlpha = 1;
        }
      } else {
        context.fillText(fitted(context, size, rect.w - 8), rect.x + 4, rect.y + 24);
      }
    }
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left,
      y = event.clientY - box.top;
    let found = null;
    for (const rect of this.rects)
      // deeper ones stand behind those around them
      if (x >= rect.x && x < rect.x + rect.w && y >= rect.y && y < rect.y + rect.h) found = rect;
    return found;
  }

  topAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left,
      y = event.clientY - box.top;
    return this.tops.find(
      (rect) => x >= rect.x && x < rect.x + rect.w && y >= rect.y && y < rect.y + rect.h,
    );
  }

  hover(event) {
    this.setHovered(this.at(event));
  }
  setHovered(rect) {
    if (this.hovered === rect) return;
    this.hovered = rect;
    this.current = null;
    this.show(rect && rect.node);
    this.draw();
  }

  click(event) {
    const top = this.topAt(event);
    if (top && top.node) this.choose(top.node);
  }

  wheel(event) {
    if (!zoomsWithWheel(event)) return;
    event.preventDefault();
    if (event.timeStamp - this.lastWheel < 250) return;
    this.lastWheel = event.timeStamp;
    const top = this.topAt(event);
    if (event.deltaY > 0) this.leave();
    else if (top && top.node && top.node.children().length) this.choose(top.node);
  }

  key(event) {
    const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    if (event.key === 'Enter' || event.key === ' ') {
      if (this.current) this.choose(this.current);
    } else if (event.key === 'Escape' || event.key === 'Backspace') {
      this.leave();
    } else if (event.key === 'Home') {
      this.focusOn(this.tops[0]);
    } else if (steps[event.key]) {
      this.focusOn(this.beside(...steps[event.key]));
    } else {
      return;
    }
    event.preventDefault();
  }

  focusOn(rect) {
    if (!rect || !rect.node) return;
    this.current = rect.node;
    this.hovered = null;
    this.show(rect.node);
    this.draw();
  }

  /** The nearest rectangle in a direction; straight ahead counts as nearer. */
  beside(right, down) {
    const from = this.tops.find((rect) => rect.node === this.current);
    if (!from) return this.tops[0];
    let best = null,
      least = Infinity;
    for (const rect of this.tops) {
      const ahead = right
        ? right * (rect.x + rect.w / 2 - from.x - from.w / 2)
        : down * (rect.y + rect.h / 2 - from.y - from.h / 2);
      const aside = right
        ? Math.max(0, rect.y - from.y - from.h, from.y - rect.y - rect.h)
        : Math.max(0, rect.x - from.x - from.w, from.x - rect.x - rect.w);
      const gap = right
        ? right > 0
          ? rect.x - from.x - from.w
          : from.x - rect.x - rect.w
        : down > 0
          ? rect.y - from.y - from.h
          : from.y - rect.y - rect.h;
      if (rect === from || !rect.node || ahead <= 0 || gap < -1) continue;
      const far = Math.max(0, gap) + 3 * aside + ahead / 1e3;
      if (far < least) [best, least] = [rect, far];
    }
    return best;
  }
}
