import {
  blur,
  createRandom,
  ellipse,
  foliage,
  grain,
  group,
  linear,
  type Picture,
  radial,
  rain,
  rect,
  shape,
  times,
} from './paint.ts';

const random = createRandom(23);
const FLOOR = 1120;
const SPINES = [
  '#8f4a38',
  '#b96a42',
  '#d8a15c',
  '#5d4c62',
  '#7c5f49',
  '#cdb78a',
  '#4d6068',
  '#a3433d',
  '#3f5a55',
  '#8a7a52',
];

function row(x: number, base: number, width: number, tall: number): string {
  let at = x;
  let books = '';
  while (at < x + width - 20) {
    const thick = random.between(17, 42);
    const height = tall * random.between(0.7, 0.95);
    if (at + thick > x + width) break;
    const chance = random.next();
    const color = SPINES[Math.floor(random.next() * SPINES.length)] ?? '#888';
    if (chance > 0.93) {
      // A few lie down.
      books += times(3, (index) =>
        rect(Math.round(at), Math.round(base - 24 - index * 25), 92, 23, {
          fill: SPINES[(index * 3 + Math.round(at)) % SPINES.length] ?? color,
          rx: 3,
        }),
      );
      at += 104;
      continue;
    }
    const lean = chance > 0.86 ? -7 : 0;
    books += group(
      [
        rect(Math.round(at), Math.round(base - height), Math.round(thick), Math.round(height), { fill: color, rx: 2 }),
        rect(Math.round(at + 2), Math.round(base - height), 4, Math.round(height), { fill: '#fff', opacity: 0.12 }),
        rect(
          Math.round(at + thick * 0.25),
          Math.round(base - height * 0.82),
          Math.round(thick * 0.5),
          Math.round(height * 0.18),
          { fill: '#f3dfae', opacity: 0.55 },
        ),
      ],
      lean ? { transform: `rotate(${lean} ${Math.round(at)} ${Math.round(base)})` } : {},
    );
    at += thick + (lean ? 16 : 2);
  }
  return books;
}

function bookcase(x: number, y: number, width: number, rows: number, tall: number): string {
  const height = rows * tall + 30;
  return [
    rect(x - 22, y - 30, width + 44, height + 60, { fill: '#5a3524' }),
    rect(x, y, width, height, { fill: '#38211a' }),
    times(
      rows,
      (index) =>
        `${row(x + 8, y + (index + 1) * tall, width - 16, tall - 26)}${rect(x, y + (index + 1) * tall, width, 20, { fill: '#6d4430' })}${rect(x, y + (index + 1) * tall, width, 5, { fill: '#8d5d41' })}`,
    ),
    rect(x - 34, y - 48, width + 68, 26, { fill: '#6d4430' }),
  ].join('');
}

/** The big window: the street outside, blue and running with water. */
function rainyWindow(x: number, y: number, width: number, height: number): string {
  const lights = times(26, () => {
    const size = random.between(16, 58);
    return ellipse(
      Math.round(x + random.between(0, width)),
      Math.round(y + height * random.between(0.42, 0.9)),
      Math.round(size),
      Math.round(size),
      {
        fill: ['#ffd08a', '#ffb36b', '#9fb8ff', '#ff9f8a', '#ffe2b0'][Math.floor(random.next() * 5)] ?? '#fff',
        opacity: random.between(0.12, 0.5).toFixed(2),
      },
    );
  });
  const drops = times(130, () => {
    const dx = x + random.between(6, width - 6);
    const dy = y + random.between(6, height - 6);
    const size = random.between(2.5, 8);
    const run =
      random.next() > 0.78
        ? shape(`M${dx.toFixed(0)} ${dy.toFixed(0)}c-6 -34 8 -60 -2 -${random.between(80, 190).toFixed(0)}`, {
            stroke: '#dbe6ff',
            'stroke-width': (size * 0.7).toFixed(1),
            fill: 'none',
            opacity: 0.2,
            'stroke-linecap': 'round',
          })
        : '';
    return `${run}${ellipse(Math.round(dx), Math.round(dy), +size.toFixed(1), +(size * 1.25).toFixed(1), { fill: '#e6eeff', opacity: 0.5 })}${ellipse(Math.round(dx - size * 0.3), Math.round(dy - size * 0.4), +(size * 0.35).toFixed(1), +(size * 0.35).toFixed(1), { fill: '#fff', opacity: 0.9 })}`;
  });
  return [
    rect(x, y, width, height, { fill: 'url(#dusk)' }),
    group(
      [
        shape(
          `M${x} ${y + height * 0.62}L${x + 120} ${y + height * 0.5}L${x + 230} ${y + height * 0.58}L${x + 360} ${y + height * 0.44}L${x + 520} ${y + height * 0.6}L${x + 700} ${y + height * 0.47}L${x + width} ${y + height * 0.6}V${y + height}H${x}Z`,
          { fill: '#2c3a6c' },
        ),
        lights,
      ],
      { filter: 'url(#far)' },
    ),
    `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${rain(15, { width, height, count: 90, color: '#cfdcff' })}</svg>`,
    group([drops], { 'clip-path': 'url(#opening)' }),
    rect(x, y, width, height, { fill: 'url(#pane)' }),
    rect(x - 20, y - 20, width + 40, height + 40, { fill: 'none', stroke: '#4a2b20', 'stroke-width': 40 }),
    rect(x + width / 2 - 13, y, 26, height, { fill: '#4a2b20' }),
    rect(x, y + height * 0.32, width, 22, { fill: '#4a2b20' }),
    rect(x - 70, y + height + 14, width + 140, 40, { fill: '#7a4d35' }),
    rect(x - 70, y + height + 14, width + 140, 9, { fill: '#a06c4a' }),
  ].join('');
}

function pendant(x: number, y: number, scale: number): string {
  return [
    shape(`M${x} 0V${y - 70 * scale}`, { stroke: '#2a1712', 'stroke-width': 7 }),
    ellipse(x, y + 30, 560 * scale, 480 * scale, { fill: 'url(#glow)' }),
    shape(
      `M${x - 100 * scale} ${y}C${x - 92 * scale} ${y - 78 * scale} ${x + 92 * scale} ${y - 78 * scale} ${x + 100 * scale} ${y}Z`,
      { fill: '#2f6a63' },
    ),
    shape(
      `M${x - 70 * scale} ${y - 12}C${x - 62 * scale} ${y - 56 * scale} ${x - 20 * scale} ${y - 64 * scale} ${x} ${y - 62 * scale}`,
      { stroke: '#7fb8a8', 'stroke-width': 8, fill: 'none', opacity: 0.6, 'stroke-linecap': 'round' },
    ),
    ellipse(x, y, 100 * scale, 20 * scale, { fill: '#fff4cf' }),
  ].join('');
}

function desk(): string {
  return [
    shape(`M940 ${FLOOR - 140}H2010L2080 ${FLOOR - 70}H880Z`, { fill: '#9a6240' }),
    shape(`M940 ${FLOOR - 140}H2010L2016 ${FLOOR - 132}H934Z`, { fill: '#c98a5c' }),
    rect(880, FLOOR - 70, 1200, 40, { fill: '#7a4a30' }),
    rect(920, FLOOR - 30, 1120, 260, { fill: '#5d3725' }),
    times(
      4,
      (index) =>
        `${rect(950 + index * 275, FLOOR - 6, 235, 210, { fill: '#6c4230' })}${rect(962 + index * 275, FLOOR + 6, 211, 186, { fill: '#623a29' })}${ellipse(1067 + index * 275, FLOOR + 40, 15, 9, { fill: '#d9a762' })}`,
    ),
    // A pot of tea, a cup, and what was being read.
    group(
      [
        shape('M0 0C-6 -62 26 -84 76 -84C126 -84 158 -62 152 0C150 20 130 26 76 26C22 26 2 20 0 0Z', {
          fill: '#4d7a86',
        }),
        shape('M148 -44C190 -66 196 -26 150 -6', { stroke: '#4d7a86', 'stroke-width': 13, fill: 'none' }),
        shape('M4 -38C-30 -44 -36 -72 -56 -78', {
          stroke: '#4d7a86',
          'stroke-width': 17,
          fill: 'none',
          'stroke-linecap': 'round',
        }),
        ellipse(76, -86, 40, 11, { fill: '#5f93a0' }),
        ellipse(76, -98, 12, 10, { fill: '#3b626d' }),
        shape('M26 -52C34 -70 52 -74 62 -74', {
          stroke: '#b8dde0',
          'stroke-width': 8,
          fill: 'none',
          opacity: 0.7,
          'stroke-linecap': 'round',
        }),
      ],
      { transform: `translate(1710 ${FLOOR - 112})` },
    ),
    group(
      [
        shape('M0 0H92L82 56C78 70 14 70 10 56Z', { fill: '#f1e4cf' }),
        ellipse(46, 0, 46, 11, { fill: '#b9693a' }),
        shape('M90 12C124 8 122 48 84 46', { stroke: '#f1e4cf', 'stroke-width': 10, fill: 'none' }),
        shape('M30 -22C16 -50 46 -66 30 -98M60 -22C48 -46 74 -62 60 -90', {
          stroke: '#fff',
          'stroke-width': 8,
          fill: 'none',
          opacity: 0.4,
          'stroke-linecap': 'round',
          filter: 'url(#steam)',
        }),
      ],
      { transform: `translate(1540 ${FLOOR - 160})` },
    ),
    group(
      [
        shape('M0 30C70 0 140 6 190 26C240 6 310 0 380 30L392 66C320 44 250 46 190 66C130 46 60 44 -12 66Z', {
          fill: '#fbf2dd',
        }),
        shape('M190 26V66', { stroke: '#c9b48a', 'stroke-width': 5 }),
        shape(
          'M24 38c50 -14 96 -12 140 0M20 50c50 -14 100 -12 146 2M220 40c48 -12 90 -14 136 -2M218 54c50 -14 96 -14 144 -2',
          { stroke: '#c2ac84', 'stroke-width': 3.5, fill: 'none' },
        ),
      ],
      { transform: `translate(1080 ${FLOOR - 170})` },
    ),
    // The reading lamp.
    group(
      [
        ellipse(0, 0, 78, 17, { fill: '#3b2a20' }),
        shape('M0 0C-6 -90 -40 -150 10 -220', {
          stroke: '#8a6a3a',
          'stroke-width': 14,
          fill: 'none',
          'stroke-linecap': 'round',
        }),
        ellipse(70, -150, 420, 340, { fill: 'url(#glow)', opacity: 0.9 }),
        shape('M-40 -214C-20 -268 80 -276 118 -206C70 -184 10 -184 -40 -214Z', { fill: '#b5833f' }),
        shape('M-30 -210C10 -190 70 -190 108 -204L110 -194C70 -178 4 -180 -30 -210Z', { fill: '#fff0c0' }),
      ],
      { transform: `translate(960 ${FLOOR - 96})` },
    ),
  ].join('');
}

function floor(): string {
  const boards = times(15, (index) =>
    shape(`M${1280 + (index - 7) * 150} ${FLOOR + 20}L${1280 + (index - 7) * 420} 1440`, {
      stroke: '#3c2118',
      'stroke-width': 5,
      opacity: 0.6,
    }),
  );
  return [
    rect(0, FLOOR, 2560, 330, { fill: 'url(#floor)' }),
    boards,
    times(4, (index) =>
      rect(0, FLOOR + 40 + index * index * 26 + index * 30, 2560, 4, { fill: '#3c2118', opacity: 0.35 }),
    ),
  ].join('');
}

/** Inside the old bookshop: warm lamps, books to the ceiling, rain at the window. */
export function drawBookshop(): Picture {
  return {
    width: 2560,
    height: 1440,
    defs: [
      linear('wall', [
        [0, '#6b443a'],
        [0.5, '#95614a'],
        [1, '#744a39'],
      ]),
      linear('dusk', [
        [0, '#34447e'],
        [0.5, '#5d6fae'],
        [1, '#8d86b8'],
      ]),
      linear(
        'pane',
        [
          [0, '#ffffff', 0.14],
          [0.4, '#ffffff', 0],
          [1, '#ffc987', 0.2],
        ],
        -30,
      ),
      linear('floor', [
        [0, '#8d573a'],
        [1, '#573226'],
      ]),
      radial('glow', [
        [0, '#fff0c2', 0.85],
        [0.28, '#ffd58c', 0.44],
        [1, '#ffbf6b', 0],
      ]),
      radial('corner', [
        [0, '#ffb765', 0.14],
        [0.6, '#ff9a55', 0.05],
        [1, '#160a18', 0.46],
      ]),
      '<clipPath id="opening"><rect x="790" y="330" width="1010" height="560"/></clipPath>',
      blur('far', 9),
      blur('steam', 4),
      blur('cast', 30),
    ].join(''),
    body: [
      rect(0, 0, 2560, 1440, { fill: 'url(#wall)' }),
      bookcase(60, 90, 560, 5, 206),
      bookcase(1960, 90, 560, 5, 206),
      bookcase(700, 60, 1190, 1, 170),
      rainyWindow(790, 330, 1010, 560),
      floor(),
      group(
        [shape(`M800 ${FLOOR + 330}L960 ${FLOOR + 20}H1640L1860 ${FLOOR + 330}Z`, { fill: '#8fa6ff', opacity: 0.16 })],
        { filter: 'url(#cast)' },
      ),
      // A ladder against the shelves, a plant on the floor.
      shape('M330 1230L520 180M450 1230L606 180', { stroke: '#a8754a', 'stroke-width': 20, 'stroke-linecap': 'round' }),
      times(9, (index) =>
        shape(`M${352 + index * 18.6} ${1110 - index * 103}L${468 + index * 15.2} ${1110 - index * 103}`, {
          stroke: '#8d5f3b',
          'stroke-width': 15,
        }),
      ),
      desk(),
      group([
        foliage(9, {
          x: 2290,
          y: 1050,
          rx: 130,
          ry: 190,
          count: 260,
          size: 27,
          colors: ['#1e3b2c', '#2a5a3d', '#3b7a4d', '#57995f'],
        }),
        shape('M2200 1190H2380L2356 1350H2224Z', { fill: '#b5623f' }),
        rect(2188, 1172, 204, 34, { fill: '#c97850', rx: 6 }),
      ]),
      pendant(640, 250, 1.1),
      pendant(1910, 250, 1.1),
      rect(0, 0, 2560, 1440, { fill: 'url(#corner)' }),
      grain(2560, 1440),
    ].join(''),
  };
}
