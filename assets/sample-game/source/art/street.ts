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

const GROUND = 1090;
const random = createRandom(11);

/** The far end of the street: hills, roofs and lamps that the rain makes softer with the distance. */
function distance(): string {
  const roofs = times(9, (index) => {
    const x = -60 + index * 128;
    const height = 150 + ((index * 73) % 130);
    const y = 900 - height;
    const lit = times(3, (pane) =>
      random.next() > 0.45
        ? rect(x + 18 + pane * 36, y + 60 + ((pane * 31) % 50), 16, 22, { fill: '#ffd08a', opacity: 0.75 })
        : '',
    );
    return `${shape(`M${x - 10} ${y + 34}L${x + 58} ${y}L${x + 132} ${y + 34}V1010H${x - 10}Z`, { fill: index % 2 ? '#33406b' : '#3c4a78' })}${lit}`;
  });
  return [
    shape('M0 720C160 610 330 590 520 650C700 560 900 590 1120 700V1010H0Z', { fill: '#55669a', opacity: 0.75 }),
    shape('M0 790C220 700 420 720 640 760C820 700 980 720 1160 790V1010H0Z', { fill: '#465588', opacity: 0.85 }),
    group([roofs], { filter: 'url(#soft2)' }),
    rect(0, 560, 1200, 500, { fill: 'url(#mist)' }),
  ].join('');
}

function lamp(x: number, top: number, scale: number): string {
  const foot = GROUND + 30 * scale;
  return [
    ellipse(x, top, 330 * scale, 330 * scale, { fill: 'url(#lampGlow)' }),
    rect(x - 5 * scale, top + 20 * scale, 10 * scale, foot - top, { fill: '#232a4a' }),
    shape(
      `M${x - 30 * scale} ${top + 26 * scale}L${x - 20 * scale} ${top - 34 * scale}H${x + 20 * scale}L${x + 30 * scale} ${top + 26 * scale}Z`,
      { fill: '#ffe9b8' },
    ),
    shape(`M${x - 36 * scale} ${top - 34 * scale}L${x} ${top - 66 * scale}L${x + 36 * scale} ${top - 34 * scale}Z`, {
      fill: '#1f2644',
    }),
    ellipse(x - 4, foot + 130 * scale, 46 * scale, 210 * scale, {
      fill: '#ffd79a',
      opacity: 0.22,
      filter: 'url(#streak)',
    }),
  ].join('');
}

/** Shelves, books and a lamp seen through the shop's window. */
function shopWindow(x: number, y: number, width: number, height: number): string {
  const colors = ['#8c4a36', '#b5653f', '#d69a55', '#5b4a5c', '#7a5a44', '#c8b083', '#4f5a63', '#a23f3a'];
  const shelves = times(3, (row) => {
    const base = y + 170 + row * 175;
    let at = x + 20;
    let books = '';
    while (at < x + width - 34) {
      const thick = random.between(14, 34);
      const tall = random.between(86, 136);
      const gap = random.next() > 0.9 ? 46 : 3;
      books += rect(Math.round(at), Math.round(base - tall), Math.round(thick), Math.round(tall), {
        fill: colors[Math.floor(random.next() * colors.length)] ?? '#888',
        opacity: 0.92,
      });
      at += thick + gap;
    }
    return `${books}${rect(x + 6, base, width - 12, 12, { fill: '#6b3f26' })}`;
  });
  return [
    rect(x, y, width, height, { fill: 'url(#inside)' }),
    shelves,
    ellipse(x + width * 0.42, y + 130, 460, 400, { fill: 'url(#bulb)' }),
    shape(`M${x + width * 0.42} ${y}V${y + 74}`, { stroke: '#4a2c1c', 'stroke-width': 5 }),
    shape(
      `M${x + width * 0.42 - 62} ${y + 128}C${x + width * 0.42 - 54} ${y + 84} ${x + width * 0.42 + 54} ${y + 84} ${x + width * 0.42 + 62} ${y + 128}Z`,
      { fill: '#7c3f2a' },
    ),
    ellipse(x + width * 0.42, y + 130, 40, 15, { fill: '#fff6d8' }),
    group(
      [
        // The cat asleep on the sill.
        shape('M0 0C-16 -70 30 -128 110 -126C170 -124 214 -92 226 0Z', { fill: '#e08a3f' }),
        shape('M40 -104c18 18 24 42 20 66m24-84c16 18 22 44 18 70m30-66c12 16 16 36 12 58', {
          fill: 'none',
          stroke: '#a9561f',
          'stroke-width': 10,
          'stroke-linecap': 'round',
        }),
        shape(
          'M150 0C138 -60 160 -112 186 -128L196 -166L224 -138C240 -142 256 -142 270 -138L298 -164L308 -126C332 -98 334 -40 316 0Z',
          { fill: '#eb9a4d' },
        ),
        shape('M178 -66c10 8 24 8 34 0m62 0c10 8 24 8 34 0', {
          fill: 'none',
          stroke: '#6b3414',
          'stroke-width': 7,
          'stroke-linecap': 'round',
        }),
        shape('M236 -48l14 0l-7 9Z', { fill: '#8a3f2a' }),
        shape('M246 -132v26m-20 -22v18m40 -18v18', { stroke: '#a9561f', 'stroke-width': 8, 'stroke-linecap': 'round' }),
        ellipse(244, -22, 40, 22, { fill: '#fbe3c4' }),
        shape('M-6 0C-40 -4 -60 -30 -40 -54', {
          fill: 'none',
          stroke: '#e08a3f',
          'stroke-width': 28,
          'stroke-linecap': 'round',
        }),
      ],
      { transform: `translate(${x + 420} ${y + height}) scale(.94)` },
    ),
    rect(x, y, width, height, { fill: 'url(#glass)' }),
  ].join('');
}

function frame(x: number, y: number, width: number, height: number, columns: number): string {
  const bars = times(columns - 1, (index) =>
    rect(x + ((index + 1) * width) / columns - 8, y, 16, height, { fill: '#4a2f2a' }),
  );
  return `${rect(x, y, width, height, { fill: 'none', stroke: '#4a2f2a', 'stroke-width': 26 })}${bars}${rect(x - 13, y + height * 0.3, width + 26, 13, { fill: '#4a2f2a' })}`;
}

function shop(): string {
  const planks = times(40, (index) =>
    rect(1130 + index * 37, 240, 34, GROUND - 240, {
      fill: index % 3 === 0 ? '#4d3a44' : index % 3 === 1 ? '#463540' : '#4a3842',
    }),
  );
  const drips = times(42, (index) => {
    const x = 1040 + index * 37 + random.between(-10, 10);
    const length = random.between(14, 60);
    const fall = random.between(0, 320);
    return `${ellipse(Math.round(x), 322, 4, 8, { fill: '#cfe0ff', opacity: 0.9 })}${random.next() > 0.5 ? shape(`M${x.toFixed(0)} ${(330 + fall).toFixed(0)}v${length.toFixed(0)}`, { stroke: '#d8e6ff', 'stroke-width': 3, opacity: 0.55, 'stroke-linecap': 'round' }) : ''}`;
  });
  return [
    planks,
    rect(1130, 240, 1430, GROUND - 240, { fill: 'url(#wallLight)' }),
    shopWindow(1500, 400, 800, 560),
    frame(1500, 400, 800, 560, 3),
    rect(1470, 960, 860, 34, { fill: '#5d3c33' }),
    rect(1490, 994, 820, 96, { fill: '#3b2a31' }),
    // The door, ajar, with its curtain.
    rect(1190, 400, 250, 690, { fill: '#4a2f2a' }),
    rect(1212, 424, 206, 666, { fill: 'url(#inside)' }),
    rect(1212, 424, 206, 666, { fill: 'url(#doorLight)' }),
    shape(
      'M1212 424H1418V600C1392 610 1376 596 1350 606C1330 612 1324 600 1315 602V424H1315V602C1300 612 1284 596 1262 606C1240 612 1224 600 1212 604Z',
      { fill: '#27406e' },
    ),
    shape('M1315 424V604', { stroke: '#16284c', 'stroke-width': 5 }),
    `<text x="1264" y="536" font-size="78" font-family="Noto Serif CJK SC" font-weight="700" fill="#e9eefb" text-anchor="middle">半</text><text x="1368" y="536" font-size="78" font-family="Noto Serif CJK SC" font-weight="700" fill="#e9eefb" text-anchor="middle">日</text>`,
    rect(1318, 604, 8, 486, { fill: '#6b4636' }),
    // The eaves.
    shape('M990 250L1120 90H2560V250Z', { fill: '#222a49' }),
    times(26, (index) =>
      shape(`M${1128 + index * 58} 92L${1010 + index * 62} 250`, {
        stroke: '#2f3960',
        'stroke-width': 13,
        fill: 'none',
      }),
    ),
    shape('M980 250H2560V312H980Z', { fill: '#352733' }),
    shape('M980 306H2560', { stroke: '#8fa5d8', 'stroke-width': 5, opacity: 0.5 }),
    drips,
    // The hanging sign.
    rect(1060, 312, 10, 60, { fill: '#1d1a26' }),
    rect(1016, 368, 98, 372, { fill: '#3a2420', rx: 8 }),
    rect(1026, 378, 78, 352, { fill: '#59382c', rx: 5 }),
    times(
      4,
      (index) =>
        `<text x="1065" y="${450 + index * 84}" font-size="64" font-family="Noto Serif CJK SC" font-weight="700" fill="#f3d9a4" text-anchor="middle">${'半日书屋'[index]}</text>`,
    ),
  ].join('');
}

function ground(): string {
  const stones = times(90, () => {
    const depth = random.next();
    const y = GROUND + 6 + depth * 340;
    return ellipse(
      Math.round(random.between(-50, 2600)),
      Math.round(y),
      Math.round(60 + depth * 130),
      Math.round(4 + depth * 10),
      {
        fill: random.next() > 0.5 ? '#8ea2d4' : '#141a35',
        opacity: (0.05 + depth * 0.1).toFixed(2),
      },
    );
  });
  const ripples = times(46, () => {
    const depth = random.next();
    const x = random.between(0, 2560);
    const size = 14 + depth * 52;
    return ellipse(Math.round(x), Math.round(GROUND + 24 + depth * 310), Math.round(size), Math.round(size * 0.26), {
      fill: 'none',
      stroke: '#cfdcff',
      'stroke-width': (1.2 + depth * 2).toFixed(1),
      opacity: (0.14 + random.next() * 0.26).toFixed(2),
    });
  });
  return [
    rect(0, GROUND - 90, 2560, 450, { fill: 'url(#ground)' }),
    rect(1130, GROUND - 10, 1430, 26, { fill: '#5a6186' }),
    // What shines on the wet stones.
    group(
      [
        rect(1500, GROUND + 16, 800, 330, { fill: 'url(#reflection)' }),
        rect(1212, GROUND + 16, 210, 330, { fill: 'url(#reflection)' }),
        rect(620, GROUND + 10, 60, 300, { fill: '#ffd79a', opacity: 0.35 }),
      ],
      { filter: 'url(#streak)' },
    ),
    stones,
    ripples,
  ].join('');
}

function hydrangeas(): string {
  const bush = (x: number, y: number, scale: number, seed: number) => {
    const flowers = createRandom(seed);
    const heads = times(9, () => {
      const hx = x + flowers.between(-210, 210) * scale;
      const hy = y - flowers.between(20, 200) * scale;
      const hue = flowers.next();
      const base =
        hue < 0.4
          ? ['#6f86d6', '#93a9ee', '#c4d2ff']
          : hue < 0.75
            ? ['#8a6fc8', '#ab90e2', '#d9c8fa']
            : ['#c86f9f', '#e297bd', '#fbd0e2'];
      return times(34, (index) => {
        const angle = flowers.between(0, 6.283);
        const spread = Math.sqrt(flowers.next()) * 58 * scale;
        return ellipse(
          Math.round(hx + Math.cos(angle) * spread),
          Math.round(hy + Math.sin(angle) * spread * 0.82 - index * 0.5 * scale),
          Math.round(15 * scale),
          Math.round(12 * scale),
          {
            fill: base[Math.floor(index / 12)] ?? '#fff',
            transform: `rotate(${Math.round(flowers.between(0, 90))} ${Math.round(hx)} ${Math.round(hy)})`,
          },
        );
      });
    });
    return `${foliage(seed, { x, y: y - 60 * scale, rx: 250 * scale, ry: 130 * scale, count: 380, size: 25 * scale, colors: ['#16302f', '#1d4440', '#276050', '#34765d', '#468a6c'] })}${heads}`;
  };
  return [
    bush(2440, 1300, 1.25, 21),
    bush(160, 1400, 1.2, 34),
    bush(1640, 1110, 0.42, 41),
    bush(2230, 1110, 0.4, 47),
  ].join('');
}

function umbrella(): string {
  return group(
    [
      shape('M0 -330C-34 -200 -46 -90 -26 20L26 20C46 -90 34 -200 0 -330Z', { fill: '#b8413f' }),
      shape('M0 -330C-12 -200 -16 -90 -8 20L8 20C16 -90 12 -200 0 -330Z', { fill: '#d9625a' }),
      shape('M0 20V120C0 156 46 156 46 124', {
        fill: 'none',
        stroke: '#5b3a2a',
        'stroke-width': 11,
        'stroke-linecap': 'round',
      }),
      shape('M0 -330V-366', { stroke: '#5b3a2a', 'stroke-width': 7, 'stroke-linecap': 'round' }),
    ],
    { transform: 'translate(1466 996) rotate(172) scale(.82)' },
  );
}

/** The street before the old bookshop, dusk, rain. */
export function drawStreet(): Picture {
  return {
    width: 2560,
    height: 1440,
    defs: [
      linear('sky', [
        [0, '#2c3868'],
        [0.42, '#55659f'],
        [0.72, '#8e8fbd'],
        [1, '#cfa9b4'],
      ]),
      linear('mist', [
        [0, '#aab4dc', 0],
        [0.75, '#b9bede', 0.55],
        [1, '#b9bede', 0.1],
      ]),
      linear('ground', [
        [0, '#39456f', 0],
        [0.22, '#39456f'],
        [0.55, '#29325a'],
        [1, '#171d3c'],
      ]),
      linear('reflection', [
        [0, '#ffca7d', 0.85],
        [0.5, '#f2a35c', 0.42],
        [1, '#d9804a', 0],
      ]),
      linear('inside', [
        [0, '#ffdf9e'],
        [0.55, '#f3b365'],
        [1, '#c97a3c'],
      ]),
      linear(
        'glass',
        [
          [0, '#ffffff', 0.16],
          [0.3, '#ffffff', 0],
          [1, '#6a5a8a', 0.22],
        ],
        -28,
      ),
      linear('wallLight', [
        [0, '#10132a', 0.55],
        [0.35, '#ffb86b', 0.1],
        [1, '#20203c', 0.35],
      ]),
      linear('doorLight', [
        [0, '#8a4a2a', 0.1],
        [1, '#ffe6ae', 0.35],
      ]),
      radial('bulb', [
        [0, '#fff6d0', 0.95],
        [0.25, '#ffe3a0', 0.55],
        [1, '#ffc56b', 0],
      ]),
      radial('lampGlow', [
        [0, '#fff0c4', 0.9],
        [0.2, '#ffdf9c', 0.42],
        [1, '#ffcf8a', 0],
      ]),
      radial('spill', [
        [0, '#ffbf72', 0.5],
        [1, '#ffbf72', 0],
      ]),
      linear('shade', [
        [0, '#141a38', 0.35],
        [0.5, '#141a38', 0],
        [1, '#0c1028', 0.5],
      ]),
      blur('soft2', 2),
      blur('streak', 10, 30),
    ].join(''),
    body: [
      rect(0, 0, 2560, 1440, { fill: 'url(#sky)' }),
      distance(),
      lamp(880, 560, 0.72),
      lamp(640, 500, 1),
      ground(),
      shop(),
      ellipse(1860, 960, 980, 560, { fill: 'url(#spill)', opacity: 0.4 }),
      umbrella(),
      hydrangeas(),
      rain(7, { width: 2560, height: 1440, count: 620, color: '#dbe6ff' }),
      rect(0, 0, 2560, 1440, { fill: 'url(#shade)' }),
      grain(2560, 1440),
    ].join(''),
  };
}
