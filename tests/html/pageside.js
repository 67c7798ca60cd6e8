// What tools/check-html-report asks of a page from within. `views`, `model`, `Search` are the
// page's own.
'use strict';

globalThis.checks = {
  texts(selector) {
    return [...document.querySelectorAll(selector)].map((each) => each.textContent);
  },

  /** The value behind a term; the panel's facts stand behind those of the head. */
  fact(term) {
    const all = [...document.querySelectorAll('.facts > div')].reverse();
    return all.find((each) => each.firstChild.textContent === term)?.lastChild.textContent;
  },

  /** Texts of the cells of the table with that caption, of all its rows. */
  rows(title) {
    const of = (table) => (table.caption ? table.caption.textContent : '');
    const table = [...document.querySelectorAll('table')].find((each) =>
      of(each).startsWith(title + ':'),
    );
    if (!table) return [];
    const more = table.closest('.table').querySelector('.more');
    while (!more.hidden) more.click();
    return [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent));
  },

  focused() {
    const element = document.activeElement;
    return element.id || element.className || element.tagName;
  },

  box(selector) {
    const element = document.querySelector(selector);
    element.scrollIntoView({block: 'center'});
    const box = element.getBoundingClientRect();
    return [box.x, box.y, box.width, box.height];
  },

  /** Texts with less contrast than WCAG 2.1 AA wants: 4.5, of large ones 3. */
  poorContrast() {
    const numbers = (text) => (text.match(/[\d.]+/g) || []).map(Number);
    const channel = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const light = (color) => {
      const [red, green, blue] = color.map((v) => channel(v / 255));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const poor = [];
    for (const element of document.querySelectorAll('body *')) {
      const says = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
      if (!says || !element.getClientRects().length) continue;
      if (element.closest('svg, .unseen, .skip, script, noscript')) continue;
      let ground = null;
      for (let each = element; each && !ground; each = each.parentElement) {
        const color = numbers(getComputedStyle(each).backgroundColor);
        if (color.length === 3 || color[3] === 1) ground = color.slice(0, 3);
      }
      const style = getComputedStyle(element);
      const size = parseFloat(style.fontSize);
      const text = light(numbers(style.color).slice(0, 3));
      const behind = light(ground || [255, 255, 255]);
      const ratio = (Math.max(text, behind) + 0.05) / (Math.min(text, behind) + 0.05);
      const large = size >= 24 || (size >= 18.6 && style.fontWeight >= 600);
      if (ratio < (large ? 3 : 4.5))
        poor.push(`${element.textContent.slice(0, 30)} ${ratio.toFixed(2)}`);
    }
    // Names in the pictures, on what their things are filled with.
    const colors = palette();
    for (const category of Object.keys(CATEGORIES)) {
      const [text, behind] = [colors['on-' + category], colors[category]].map((color) =>
        light([1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16))),
      );
      const ratio = (Math.max(text, behind) + 0.05) / (Math.min(text, behind) + 0.05);
      if (!(ratio >= 4.5)) poor.push(`${category} ${ratio.toFixed(2)}`);
    }
    return poor.slice(0, 5);
  },

  blocks() {
    return views
      .get('memory')
      .cards.map((card) => card.strip.blocks.map((b) => [b.from, b.to, b.kind, b.name]));
  },
  /** Bytes that the first region's picture shows. */
  span() {
    const strip = views.get('memory').cards[0].strip;
    return strip.to - strip.from;
  },

  /** Sizes and areas of the treemap's rectangles, and the area of all. */
  treemap() {
    const map = views.get('contents').map;
    const tops = map.tops.map((rect) => [rect.node.size, rect.w * rect.h]);
    return [tops, map.canvas.clientWidth * map.canvas.clientHeight];
  },

  /** Remembers what a keyboard must come to; returns how many. */
  findStops() {
    const all = 'a[href], button, input, summary, canvas, [tabindex="0"]';
    globalThis.stops = [...document.querySelectorAll(all)].filter(
      (element) => element.tabIndex >= 0 && element.checkVisibility(),
    );
    return stops.length;
  },
  /** Which of them has the focus, and whether that is to be seen. */
  stop() {
    const element = document.activeElement;
    const outlined = getComputedStyle(element).outlineStyle !== 'none';
    return [stops.indexOf(element), outlined || Boolean(element.closest('svg'))];
  },

  pressed(text) {
    [...document.querySelectorAll('button')].find((each) => each.textContent === text).click();
  },

  /** Seconds of a search. */
  searchTime(text) {
    const search = new Search();
    search.find('warm');
    const begin = performance.now();
    search.find(text);
    return (performance.now() - begin) / 1000;
  },
};
