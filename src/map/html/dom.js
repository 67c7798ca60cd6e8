// Elements from data. Nothing here or elsewhere makes HTML from text: names come from
// object files.
'use strict';

let model = null; // of the page, once read

/** An element. `attributes`: on* are listeners, `style` an object, null is left out. */
function make(tag, attributes, ...children) {
  const element = tag.startsWith('svg:')
    ? document.createElementNS('http://www.w3.org/2000/svg', tag.slice(4))
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'style')
      for (const [property, text] of Object.entries(value))
        element.style.setProperty(property, text);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Tells people who do not see the page what has changed. */
function say(text) {
  document.getElementById('status').textContent = text;
}

function link(hash, text, attributes) {
  return make('a', {href: '#' + hash, ...attributes}, text);
}

function partLink(part) {
  return part.kind === 'padding'
    ? model.partName(part)
    : link('part/' + part.index, model.partName(part));
}
function symbolLink(symbol) {
  return link('symbol/' + symbol.index, model.shown(symbol.name), {class: 'name'});
}
function fileLink(index) {
  return model.files[index] ? link('file/' + index, model.fileName(index), {class: 'name'}) : '';
}

/** Terms and what they are; pairs whose value is empty are left out. */
function facts(pairs, attributes) {
  return make(
    'dl',
    {class: 'facts', ...attributes},
    pairs
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([term, value]) => make('div', {}, make('dt', {}, term), make('dd', {}, value))),
  );
}

/** A coloured square of a category; the word is always beside it. */
function swatch(category) {
  return make('span', {class: 'swatch ' + category, 'aria-hidden': 'true'});
}

function legend(categories) {
  return make(
    'ul',
    {class: 'legend'},
    categories.map((category) =>
      make('li', {}, swatch(category), CATEGORIES[category] || category),
    ),
  );
}

/** A bar of `value` in `whole`, both in bytes or counts. */
function bar(value, whole, category = 'code', label = null) {
  return make(
    'span',
    {
      class: 'meter',
      role: label ? 'img' : null,
      'aria-label': label,
      'aria-hidden': label ? null : 'true',
    },
    make('span', {
      class: 'fill ' + category,
      style: {width: Math.min(100, whole ? (100 * value) / whole : 0) + '%'},
    }),
  );
}

function empty(text) {
  return make('p', {class: 'empty'}, text);
}

/** The colours of the theme, for canvases. Read again when the theme changes. */
let paletteNow = null;
function palette() {
  if (paletteNow) return paletteNow;
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue('--' + name).trim();
  paletteNow = {};
  for (const name of [
    'ink',
    'soft',
    'line',
    'page',
    'card',
    'focus',
    'free',
    ...Object.keys(CATEGORIES),
    ...Object.keys(CATEGORIES).map((category) => 'on-' + category),
  ])
    paletteNow[name] = read(name);
  return paletteNow;
}

/** A canvas as large as its element, in device pixels; returns its context and size. */
function prepare(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth,
    height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = '12px system-ui, sans-serif';
  context.textBaseline = 'middle';
  return {context, width, height};
}

/** Text cut to `room` pixels; nothing where not even some letters fit. */
function fitted(context, text, room) {
  if (room < 22) return '';
  // No letter is narrower than two pixels: longer texts need no measuring.
  let kept = text.slice(0, Math.ceil(room / 2));
  if (kept.length === text.length && context.measureText(text).width <= room) return text;
  let low = 0,
    high = kept.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(kept.slice(0, middle) + '\u2026').width <= room) low = middle;
    else high = middle - 1;
  }
  return low < 2 ? '' : kept.slice(0, low) + '\u2026';
}

/** Diagonal lines for what is set aside or only loaded: a shape besides the colour. */
const hatches = new Map();
function hatch(context, color, backwards = false) {
  const key = color + backwards;
  if (hatches.has(key)) return hatches.get(key);
  const tile = document.createElement('canvas');
  tile.width = tile.height = 8;
  const drawing = tile.getContext('2d');
  drawing.strokeStyle = color;
  drawing.lineWidth = 1.5;
  drawing.beginPath();
  for (const shift of [-8, 0, 8]) {
    drawing.moveTo(shift, backwards ? 0 : 8);
    drawing.lineTo(shift + 8, backwards ? 8 : 0);
  }
  drawing.stroke();
  hatches.set(key, context.createPattern(tile, 'repeat'));
  return hatches.get(key);
}

/** The wheel zooms in what has the focus, or with Ctrl; elsewhere it scrolls the page. */
function zoomsWithWheel(event) {
  return event.ctrlKey || document.activeElement === event.currentTarget;
}
