// Who refers to a part, and to whom it refers, one or two steps away: columns of boxes,
// left to right as the references go. Boxes are links, so a keyboard walks the graph.
'use strict';

const GRAPH_MOST = 8; // in the column beside the part
const GRAPH_SECOND = 3; // of each of those, one step further

/** Boxes of one side, by column: {part, column, above: the box that it belongs to, count, call}. */
function graphSide(part, neighbours, direction, steps) {
  const boxes = [],
    seen = new Set([part]);
  const near = neighbours(part.index),
    kept = near.slice(0, GRAPH_MOST);
  for (const entry of kept) seen.add(entry.part);
  for (const entry of kept) {
    const box = {...entry, column: direction, above: null};
    boxes.push(box);
    if (steps < 2) continue;
    let room = GRAPH_SECOND;
    for (const further of neighbours(entry.part.index))
      if (room && !seen.has(further.part)) {
        seen.add(further.part);
        boxes.push({...further, column: 2 * direction, above: box});
        --room;
      }
  }
  return {boxes, left: near.length - kept.length};
}

/** Gives boxes of one column their places, in the middle of `height`. */
function placeColumn(boxes, x, height, pitch) {
  boxes.forEach((box, i) => {
    box.x = x;
    box.y = (height - boxes.length * pitch) / 2 + i * pitch + 4;
  });
}

function graphEdge(from, to, entry, width) {
  const x1 = from.x + width,
    y1 = from.y + 13,
    x2 = to.x,
    y2 = to.y + 13,
    bend = Math.max(12, (x2 - x1) / 2);
  return make('svg:path', {
    class: entry.call ? 'edge call' : 'edge',
    'marker-end': 'url(#arrow)',
    'stroke-width': Math.min(4, 1 + Math.log2(entry.count || 1) / 2),
    d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2 - 5} ${y2}`,
  });
}

function graphBox(box, width, here) {
  const name = model.partName(box.part),
    letters = Math.floor((width - 14) / 6.6);
  const text = name.length > letters ? name.slice(0, Math.max(1, letters - 1)) + '\u2026' : name;
  const drawn = [
    make('svg:title', {}, `${name}\n${model.partPlace(box.part)}`),
    make('svg:rect', {
      x: box.x,
      y: box.y,
      width,
      height: 26,
      rx: 4,
      class: here ? 'box here' : 'box',
    }),
    make('svg:rect', {
      x: box.x,
      y: box.y,
      width: 5,
      height: 26,
      class: 'stripe ' + box.part.category,
    }),
    make('svg:text', {x: box.x + 10, y: box.y + 17}, text),
  ];
  return here
    ? make('svg:g', {}, drawn)
    : make(
        'svg:a',
        {
          href: '#part/' + box.part.index,
          'aria-label': `${name}, ${box.column < 0 ? 'refers to this' : 'this refers to it'}`,
        },
        drawn,
      );
}

/** The drawing, `room` pixels wide; wider where that would leave no letters. */
function graphDrawing(part, steps, room) {
  const before = graphSide(part, (index) => model.referredBy(index), -1, steps);
  const behind = graphSide(part, (index) => model.refersTo(index), 1, steps);
  const boxes = [...before.boxes, ...behind.boxes],
    columns = 2 * steps + 1;
  const gap = room < 600 ? 22 : 56,
    least = 92;
  const width = Math.min(220, Math.max(least, (room - gap * (columns - 1) - 4) / columns));
  const tallest = [-2, -1, 0, 1, 2].reduce(
    (most, column) => Math.max(most, boxes.filter((box) => box.column === column).length),
    1,
  );
  const pitch = 34,
    height = tallest * pitch + 8,
    center = {part, column: 0};
  const drawnWidth = width * columns + gap * (columns - 1) + 4;
  for (let column = -steps; column <= steps; ++column)
    placeColumn(
      column ? boxes.filter((box) => box.column === column) : [center],
      2 + (column + steps) * (width + gap),
      height,
      pitch,
    );
  const edges = boxes.map((box) => {
    const near = box.above || center;
    return box.column < 0 ? graphEdge(box, near, box, width) : graphEdge(near, box, box, width);
  });
  const svg = make(
    'svg:svg',
    {
      class: 'graph',
      viewBox: `0 0 ${drawnWidth} ${height}`,
      width: drawnWidth,
      height,
      role: 'group',
      'aria-label': `References round ${model.partName(part)}`,
    },
    make(
      'svg:defs',
      {},
      make(
        'svg:marker',
        {
          id: 'arrow',
          viewBox: '0 0 8 8',
          refX: 6,
          refY: 4,
          markerWidth: 8,
          markerHeight: 8,
          markerUnits: 'userSpaceOnUse',
          orient: 'auto',
        },
        make('svg:path', {d: 'M0 0L8 4L0 8z', class: 'arrow'}),
      ),
    ),
    edges,
    boxes.map((box) => graphBox(box, width, false)),
    graphBox(center, width, true),
  );
  const left = [
    before.left ? `${grouped(before.left)} that refer to it` : '',
    behind.left ? `${grouped(behind.left)} that it refers to` : '',
  ].filter(Boolean);
  return make(
    'div',
    {},
    make(
      'div',
      {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Graph of references'},
      svg,
    ),
    make(
      'p',
      {class: 'hint'},
      'Solid: a call or branch. Dashed: an address or data.',
      left.length ? ` Not drawn, but in the tables: ${left.join(' and ')}.` : '',
    ),
  );
}
