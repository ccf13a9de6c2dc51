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

const random = createRandom(101);

/** The town on its hill, one window brighter than the rest. */
function town(): string {
  const layer = (base: number, count: number, scale: number, colors: readonly string[], lit: number) =>
    times(count, (index) => {
      const step = 2700 / count;
      const x = -60 + index * step + random.between(-14, 14);
      const width = step * random.between(0.9, 1.2);
      const height = random.between(110, 250) * scale;
      const y = base - height - Math.sin((index / count) * Math.PI) * 190 * scale;
      const windows = times(4, (pane) =>
        random.next() < lit
          ? rect(
              Math.round(x + 18 * scale + (pane % 2) * width * 0.45),
              Math.round(y + 60 * scale + Math.floor(pane / 2) * 62 * scale),
              Math.round(26 * scale),
              Math.round(34 * scale),
              { fill: random.next() > 0.3 ? '#ffd48c' : '#ffe9b8', opacity: random.between(0.5, 0.95).toFixed(2) },
            )
          : '',
      );
      return `${shape(`M${x.toFixed(0)} ${(y + 44 * scale).toFixed(0)}L${(x + width / 2).toFixed(0)} ${y.toFixed(0)}L${(x + width).toFixed(0)} ${(y + 44 * scale).toFixed(0)}V1440H${x.toFixed(0)}Z`, { fill: colors[index % colors.length] ?? '#333' })}${windows}`;
    });
  return [
    group([layer(900, 26, 0.6, ['#3e4a82', '#44518a'], 0.22)], { filter: 'url(#haze)' }),
    rect(0, 560, 2560, 500, { fill: 'url(#mist)' }),
    layer(1060, 17, 0.9, ['#2d3768', '#323d70'], 0.3),
    rect(0, 760, 2560, 480, { fill: 'url(#mist)', opacity: 0.7 }),
  ].join('');
}

/** A girl in a yellow raincoat under a red umbrella, seen from behind. */
function walker(): string {
  return group(
    [
      ellipse(0, 470, 190, 24, { fill: '#0d1230', opacity: 0.55 }),
      ellipse(0, 60, 560, 560, { fill: 'url(#warm)' }),
      shape('M-52 450L-46 300H-6L-10 450ZM10 450L6 300H46L52 450Z', { fill: '#2b2347' }),
      shape('M-66 470C-66 440 -40 432 -8 444V470ZM66 470C66 440 40 432 8 444V470Z', { fill: '#d95a4e' }),
      shape('M-60 90C-84 180 -104 270 -112 360C-40 384 40 384 112 360C104 270 84 180 60 90C40 70 -40 70 -60 90Z', {
        fill: 'url(#coat)',
      }),
      shape('M0 100V372M-44 130C-58 220 -66 300 -68 366M46 130C60 220 68 300 70 366', {
        stroke: '#b9771f',
        'stroke-width': 5,
        fill: 'none',
        opacity: 0.6,
      }),
      shape('M60 110C100 110 116 60 110 10C104 -8 84 -6 82 12C84 44 70 64 48 72Z', { fill: '#f2b93c' }),
      ellipse(96, -2, 15, 18, { fill: '#ffdcc8' }),
      shape('M-62 96C-74 10 -46 -50 0 -50C46 -50 74 10 62 96C40 112 -40 112 -62 96Z', { fill: '#4a2f3b' }),
      shape('M-30 -34C-50 10 -48 60 -40 100M0 -48V106M30 -34C50 10 48 60 40 100', {
        stroke: '#6d4753',
        'stroke-width': 4,
        fill: 'none',
        opacity: 0.7,
      }),
      shape('M-70 96C-40 130 40 130 70 96C60 76 -60 76 -70 96Z', { fill: '#e5a733' }),
      shape('M96 20L84 -210', { stroke: '#5a3a2a', 'stroke-width': 11, 'stroke-linecap': 'round' }),
      shape(
        'M-230 -70C-220 -240 -80 -330 70 -330C230 -330 350 -240 360 -80C330 -116 280 -118 250 -84C220 -124 160 -124 130 -86C100 -124 40 -124 10 -84C-20 -120 -70 -120 -100 -80C-130 -112 -190 -108 -230 -70Z',
        { fill: 'url(#umbrella)' },
      ),
      shape(
        'M70 -330C30 -270 10 -170 10 -84M70 -330C110 -270 130 -170 130 -86M70 -330C-10 -290 -80 -190 -100 -80M70 -330C170 -290 240 -190 250 -84',
        { stroke: '#8f2d33', 'stroke-width': 6, fill: 'none', opacity: 0.65 },
      ),
      shape('M-206 -120C-180 -220 -80 -300 40 -314C-60 -270 -130 -200 -150 -120Z', { fill: '#ff9a8a', opacity: 0.45 }),
      shape('M70 -330V-362', { stroke: '#5a3a2a', 'stroke-width': 9, 'stroke-linecap': 'round' }),
      times(30, () => {
        const x = random.between(-220, 350);
        const y = -150 - Math.sqrt(Math.max(0, 1 - ((x - 65) / 300) ** 2)) * 170 - random.between(4, 26);
        return shape(
          `M${x.toFixed(0)} ${y.toFixed(0)}l${random.between(-10, 10).toFixed(0)} -${random.between(8, 26).toFixed(0)}`,
          { stroke: '#e6eeff', 'stroke-width': 3, opacity: 0.7, 'stroke-linecap': 'round' },
        );
      }),
    ],
    { transform: 'translate(1880 860)' },
  );
}

function road(): string {
  const ripples = times(60, () => {
    const depth = random.next();
    const size = 12 + depth * 60;
    return ellipse(
      Math.round(random.between(0, 2560)),
      Math.round(1150 + depth * 280),
      Math.round(size),
      Math.round(size * 0.24),
      {
        fill: 'none',
        stroke: '#cfdcff',
        'stroke-width': (1 + depth * 2.2).toFixed(1),
        opacity: random.between(0.12, 0.4).toFixed(2),
      },
    );
  });
  return [
    shape('M0 1150C500 1090 1900 1080 2560 1140V1440H0Z', { fill: 'url(#road)' }),
    group(
      [
        rect(1800, 1320, 150, 120, { fill: '#f2b93c', opacity: 0.5 }),
        rect(1690, 1340, 420, 60, { fill: '#d95a4e', opacity: 0.4 }),
        times(16, (index) => rect(60 + index * 165, 1140, 40, 170, { fill: '#ffd48c', opacity: 0.28 })),
      ],
      { filter: 'url(#streak)' },
    ),
    ripples,
  ].join('');
}

const SERIF = 'font-family="Noto Serif CJK SC"';

/** The title: Xiaoman walks into the lit town in the rain. The name of the game is part of the picture. */
export function drawTitle(): Picture {
  return {
    width: 2560,
    height: 1440,
    defs: [
      linear('sky', [
        [0, '#1f2a5c'],
        [0.45, '#43549a'],
        [0.75, '#8088c0'],
        [1, '#c7a6bd'],
      ]),
      linear('mist', [
        [0, '#a9b4e4', 0],
        [0.7, '#b3b8e2', 0.5],
        [1, '#b3b8e2', 0.05],
      ]),
      linear('road', [
        [0, '#36437a'],
        [0.4, '#28336a'],
        [1, '#141b42'],
      ]),
      linear('coat', [
        [0, '#ffd45f'],
        [1, '#e6a42e'],
      ]),
      linear('umbrella', [
        [0, '#ef6f62'],
        [1, '#b83a40'],
      ]),
      radial('warm', [
        [0, '#ffe2a6', 0.5],
        [0.5, '#ffc98a', 0.16],
        [1, '#ffc98a', 0],
      ]),
      radial('moon', [
        [0, '#f6f0ff', 0.5],
        [0.4, '#cfd4ff', 0.2],
        [1, '#cfd4ff', 0],
      ]),
      linear('shade', [
        [0, '#0d1336', 0.4],
        [0.4, '#0d1336', 0],
        [1, '#0a0e2c', 0.3],
      ]),
      blur('haze', 3),
      blur('streak', 12, 34),
      blur('glowText', 14),
    ].join(''),
    body: [
      rect(0, 0, 2560, 1440, { fill: 'url(#sky)' }),
      ellipse(760, 420, 1000, 620, { fill: 'url(#moon)' }),
      town(),
      road(),
      walker(),
      foliage(5, {
        x: 2520,
        y: 1420,
        rx: 330,
        ry: 190,
        count: 420,
        size: 28,
        colors: ['#16302f', '#1d4440', '#276050', '#34765d'],
      }),
      times(8, () => {
        const x = random.between(2240, 2540);
        const y = random.between(1230, 1410);
        return times(30, () =>
          ellipse(Math.round(x + random.between(-52, 52)), Math.round(y + random.between(-44, 44)), 16, 13, {
            fill: ['#6f86d6', '#93a9ee', '#ab90e2', '#c4d2ff'][Math.floor(random.next() * 4)] ?? '#fff',
          }),
        );
      }),
      rain(31, { width: 2560, height: 1440, count: 560, color: '#dbe6ff' }),
      rect(0, 0, 2560, 1440, { fill: 'url(#shade)' }),
      group([
        `<text x="570" y="440" ${SERIF} font-size="222" font-weight="700" letter-spacing="26" fill="#ffdf9e" opacity=".55" filter="url(#glowText)">雨停之前</text>`,
        `<text x="570" y="440" ${SERIF} font-size="222" font-weight="700" letter-spacing="26" fill="#fffaf0">雨停之前</text>`,
        `<text x="582" y="556" ${SERIF} font-size="62" letter-spacing="9" fill="#e6ebff" opacity=".92">Before the Rain Stops</text>`,
        shape('M584 612H1160', { stroke: '#ffd89a', 'stroke-width': 4, opacity: 0.8 }),
      ]),
      grain(2560, 1440),
    ].join(''),
  };
}
