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
  rect,
  shape,
  times,
} from './paint.ts';

const random = createRandom(77);
const WATER = 800;

/** A bank of cloud: puffs along a line, lit from below. */
function cloud(x: number, y: number, width: number, colors: readonly [string, string]): string {
  const puffs = (dy: number, scale: number, fill: string) =>
    times(16, (index) => {
      const at = index / 15;
      const swell = Math.sin(at * Math.PI) * 0.9 + 0.15;
      return ellipse(
        Math.round(x + at * width),
        Math.round(y + dy - swell * 26 * random.between(0.4, 1.3)),
        Math.round(width * 0.075 * scale),
        Math.round(34 * swell * scale + 6),
        { fill },
      );
    });
  return group([puffs(16, 1.05, colors[1]), puffs(0, 1, colors[0])], { filter: 'url(#cloudy)' });
}

function sky(): string {
  const rays = times(9, (index) => {
    const angle = -72 + index * 17 + random.between(-3, 3);
    return shape(`M0 0L-46 -1500L46 -1500Z`, {
      fill: 'url(#ray)',
      transform: `translate(1660 ${WATER - 70}) rotate(${angle.toFixed(1)})`,
      opacity: random.between(0.25, 0.7).toFixed(2),
    });
  });
  const rainbow = ['#ff8f8f', '#ffc37a', '#fff09a', '#a9e8a6', '#9ec9ff', '#c9a8f2']
    .map((color, index) =>
      shape(`M-40 ${WATER + 20}A${880 - index * 17} ${820 - index * 17} 0 0 1 ${1540 - index * 34} ${WATER + 20}`, {
        stroke: color,
        'stroke-width': 17,
        fill: 'none',
        transform: `translate(${index * 17} 0)`,
      }),
    )
    .join('');
  return [
    rect(0, 0, 2560, WATER + 20, { fill: 'url(#sky)' }),
    ellipse(1660, WATER - 60, 1300, 760, { fill: 'url(#sunGlow)' }),
    group([rays], { filter: 'url(#softRay)' }),
    group([rainbow], { opacity: 0.2, filter: 'url(#softRay)' }),
    cloud(-160, 150, 1300, ['#8a8fd0', '#f0a7b5']),
    cloud(1250, 90, 1450, ['#7f87cb', '#e8a3b8']),
    cloud(500, 300, 1100, ['#b79bcd', '#ffbfae']),
    cloud(1700, 330, 1000, ['#c79cc4', '#ffc7a2']),
    cloud(-220, 470, 900, ['#d6a2bd', '#ffcda6']),
    cloud(1060, 520, 1300, ['#eab2ac', '#ffe0ae']),
    ellipse(1660, WATER - 66, 92, 92, { fill: '#fff8dc' }),
  ].join('');
}

function shore(): string {
  const houses = times(30, (index) => {
    const x = index * 92 - 40;
    const height = 40 + ((index * 47) % 66);
    const y = WATER - 14 - height;
    const lit = random.next() > 0.35 ? rect(x + 20 + random.between(0, 30), y + 26, 11, 14, { fill: '#ffe6a0' }) : '';
    return `${shape(`M${x} ${y + 22}L${x + 42} ${y}L${x + 88} ${y + 22}V${WATER}H${x}Z`, { fill: index % 3 ? '#6a5a92' : '#76649c' })}${lit}`;
  });
  return [
    shape(
      `M0 ${WATER - 190}C240 ${WATER - 320} 470 ${WATER - 300} 700 ${WATER - 190}C930 ${WATER - 280} 1130 ${WATER - 250} 1330 ${WATER - 130}C1600 ${WATER - 90} 1780 ${WATER - 120} 2010 ${WATER - 220}C2210 ${WATER - 290} 2420 ${WATER - 260} 2560 ${WATER - 200}V${WATER}H0Z`,
      { fill: '#a78bbd', opacity: 0.85 },
    ),
    shape(
      `M0 ${WATER - 100}C300 ${WATER - 190} 560 ${WATER - 140} 840 ${WATER - 90}C1200 ${WATER - 60} 1500 ${WATER - 50} 1800 ${WATER - 80}C2100 ${WATER - 150} 2350 ${WATER - 150} 2560 ${WATER - 90}V${WATER}H0Z`,
      { fill: '#8a72ab' },
    ),
    houses,
    rect(0, WATER - 16, 2560, 20, { fill: '#5d4f86' }),
    ellipse(1660, WATER - 30, 700, 160, { fill: 'url(#sunGlow)' }),
  ].join('');
}

function river(): string {
  const glints = times(150, () => {
    const depth = random.next();
    const near = Math.abs(random.next() - random.next());
    const x = 1660 + (random.next() > 0.5 ? 1 : -1) * near * (140 + depth * 620);
    return ellipse(
      Math.round(x),
      Math.round(WATER + 10 + depth * 330),
      Math.round(18 + depth * 86),
      Math.round(1.5 + depth * 4),
      { fill: '#fff3c4', opacity: random.between(0.2, 0.8).toFixed(2) },
    );
  });
  const waves = times(120, () => {
    const depth = random.next();
    return ellipse(
      Math.round(random.between(-40, 2600)),
      Math.round(WATER + 8 + depth * 340),
      Math.round(40 + depth * 150),
      Math.round(2 + depth * 4),
      { fill: random.next() > 0.5 ? '#7c6db3' : '#ffc9b8', opacity: random.between(0.12, 0.4).toFixed(2) },
    );
  });
  return [
    rect(0, WATER, 2560, 420, { fill: 'url(#water)' }),
    group([rect(1560, WATER, 200, 340, { fill: '#ffe9ae', opacity: 0.7 })], { filter: 'url(#streak)' }),
    waves,
    glints,
  ].join('');
}

function lamp(x: number, scale: number, foot: number): string {
  const top = foot - 640 * scale;
  return [
    ellipse(x, top, 260 * scale, 260 * scale, { fill: 'url(#lampGlow)' }),
    rect(x - 8 * scale, top + 30 * scale, 16 * scale, foot - top - 30 * scale, { fill: '#3c3564' }),
    rect(x - 22 * scale, foot - 60 * scale, 44 * scale, 60 * scale, { fill: '#342d58' }),
    shape(
      `M${x - 36 * scale} ${top + 36 * scale}L${x - 26 * scale} ${top - 46 * scale}H${x + 26 * scale}L${x + 36 * scale} ${top + 36 * scale}Z`,
      { fill: '#fff0bd' },
    ),
    shape(`M${x - 46 * scale} ${top - 46 * scale}L${x} ${top - 90 * scale}L${x + 46 * scale} ${top - 46 * scale}Z`, {
      fill: '#342d58',
    }),
    shape(`M${x - 30 * scale} ${top + 30 * scale}H${x + 30 * scale}`, { stroke: '#342d58', 'stroke-width': 9 * scale }),
  ].join('');
}

/** The bridge under the figure: a stone parapet, and puddles with the sky in them. */
function bridge(): string {
  const balusters = times(30, (index) => {
    const x = -30 + index * 90;
    return shape(
      `M${x} 1000H${x + 44}C${x + 36} 1046 ${x + 56} 1064 ${x + 50} 1096C${x + 46} 1124 ${x + 36} 1130 ${x + 42} 1156H${x + 2}C${x + 8} 1130 ${x - 2} 1124 ${x - 6} 1096C${x - 12} 1064 ${x + 8} 1046 ${x} 1000Z`,
      { fill: 'url(#stone)' },
    );
  });
  const joints = times(9, (index) =>
    shape(`M${-300 + index * 400} 1440L${180 + index * 275} 1206`, {
      stroke: '#4a3f6e',
      'stroke-width': 5,
      opacity: 0.5,
    }),
  );
  const puddle = (x: number, y: number, rx: number, ry: number) =>
    [
      ellipse(x, y + 4, rx * 1.03, ry * 1.08, { fill: '#3f3663', opacity: 0.6 }),
      ellipse(x, y, rx, ry, { fill: 'url(#puddle)' }),
      ellipse(x - rx * 0.15, y - ry * 0.25, rx * 0.62, ry * 0.22, { fill: '#fff4cf', opacity: 0.55 }),
      ellipse(x + rx * 0.34, y + ry * 0.3, rx * 0.3, ry * 0.1, { fill: '#ffffff', opacity: 0.4 }),
      ellipse(x - rx * 0.3, y + ry * 0.2, rx * 0.22, ry * 0.24, {
        fill: 'none',
        stroke: '#fff',
        'stroke-width': 2.5,
        opacity: 0.55,
      }),
    ].join('');
  return [
    rect(0, 1150, 2560, 300, { fill: 'url(#deck)' }),
    joints,
    times(5, (index) => rect(0, 1216 + index * index * 9 + index * 26, 2560, 4, { fill: '#4a3f6e', opacity: 0.35 })),
    puddle(620, 1330, 360, 50),
    puddle(1840, 1288, 300, 36),
    puddle(1300, 1408, 250, 30),
    puddle(2380, 1392, 240, 40),
    puddle(130, 1252, 170, 20),
    balusters,
    shape('M-10 950H2570V1012H-10Z', { fill: 'url(#rail)' }),
    rect(0, 950, 2560, 9, { fill: '#ffe0b6', opacity: 0.85 }),
    rect(0, 1150, 2560, 44, { fill: '#6c5c90' }),
    rect(0, 1150, 2560, 7, { fill: '#e0b2b6', opacity: 0.7 }),
    times(40, () => {
      const x = random.between(0, 2560);
      return `${ellipse(Math.round(x), 1016, 4, 8, { fill: '#fff3d6', opacity: 0.85 })}`;
    }),
    [340, 1280, 2220]
      .map(
        (x) =>
          `${rect(x - 46, 930, 92, 270, { fill: '#6f5f94' })}${rect(x - 58, 910, 116, 34, { fill: '#8775a8' })}${rect(x - 58, 910, 116, 7, { fill: '#ffe0b6', opacity: 0.8 })}${rect(x + 22, 944, 24, 256, { fill: '#5b4c80' })}`,
      )
      .join(''),
    lamp(340, 0.9, 916),
    lamp(2220, 0.9, 916),
  ].join('');
}

/** The bridge after the rain: the clouds break, the river and every puddle hold the evening. */
export function drawBridge(): Picture {
  return {
    width: 2560,
    height: 1440,
    defs: [
      linear('sky', [
        [0, '#5c6fc0'],
        [0.3, '#9a93d6'],
        [0.58, '#eba6b4'],
        [0.82, '#ffc894'],
        [1, '#ffe6b0'],
      ]),
      linear('water', [
        [0, '#ffd6a0'],
        [0.25, '#e6a1ae'],
        [0.6, '#8d7cc0'],
        [1, '#5b5aa6'],
      ]),
      linear('stone', [
        [0, '#8e7aa9'],
        [0.5, '#7a6799'],
        [1, '#64548a'],
      ]),
      linear('rail', [
        [0, '#a890b4'],
        [1, '#75648f'],
      ]),
      linear('deck', [
        [0, '#8a759f'],
        [1, '#5a4c7c'],
      ]),
      linear('puddle', [
        [0, '#8f8ad2'],
        [0.5, '#f2a9b4'],
        [1, '#ffdca4'],
      ]),
      linear('ray', [
        [0, '#fff2c8', 0],
        [1, '#fff2c8', 0.5],
      ]),
      radial('sunGlow', [
        [0, '#fff6d2', 0.95],
        [0.2, '#ffe3a6', 0.6],
        [0.6, '#ffc49a', 0.2],
        [1, '#ffc49a', 0],
      ]),
      radial('lampGlow', [
        [0, '#fff4cc', 0.85],
        [0.3, '#ffe2a0', 0.35],
        [1, '#ffd690', 0],
      ]),
      linear('shade', [
        [0, '#2b2a66', 0.22],
        [0.4, '#2b2a66', 0],
        [1, '#241a4a', 0.38],
      ]),
      blur('cloudy', 9, 5),
      blur('softRay', 8),
      blur('streak', 22, 34),
    ].join(''),
    body: [
      sky(),
      shore(),
      river(),
      shape('M1900 250C2100 280 2300 250 2560 190M1900 320C2120 350 2320 320 2560 270', {
        stroke: '#4d4580',
        'stroke-width': 4,
        fill: 'none',
        opacity: 0.7,
      }),
      [2060, 2110, 2290]
        .map((x, index) =>
          shape(`M${x} ${268 - index * 14}c4 -16 20 -18 26 -6l12 4l-12 6c-4 10 -20 10 -26 -4Z`, { fill: '#3f386c' }),
        )
        .join(''),
      bridge(),
      foliage(3, {
        x: 20,
        y: 330,
        rx: 340,
        ry: 350,
        count: 900,
        size: 21,
        colors: ['#2f2d5e', '#38366a', '#454473', '#56527d', '#746a8a', '#a88790'],
      }),
      foliage(8, {
        x: 2570,
        y: 640,
        rx: 180,
        ry: 260,
        count: 520,
        size: 19,
        colors: ['#2f2d5e', '#38366a', '#454473', '#56527d', '#8a7690'],
      }),
      rect(0, 0, 2560, 1440, { fill: 'url(#shade)' }),
      grain(2560, 1440),
    ].join(''),
  };
}
