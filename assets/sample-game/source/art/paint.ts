/** Small pieces of SVG that the sample's pictures are put together from. Numbers are pixels of the picture. */

export interface Picture {
  width: number;
  height: number;
  /** Gradients, filters, clip paths. */
  defs: string;
  body: string;
}

/** The same numbers on every run, so that the pictures do not change when nothing of them was changed. */
export function createRandom(seed: number): { next(): number; between(low: number, high: number): number } {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return { next, between: (low, high) => low + (high - low) * next() };
}

type Stop = readonly [offset: number, color: string, opacity?: number];

function toStops(stops: readonly Stop[]): string {
  return stops
    .map(([offset, color, opacity = 1]) => `<stop offset="${offset}" stop-color="${color}" stop-opacity="${opacity}"/>`)
    .join('');
}

/** A gradient from top to bottom, or along `angle` degrees clockwise from that. */
export function linear(id: string, stops: readonly Stop[], angle = 0): string {
  return `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1" gradientTransform="rotate(${angle} .5 .5)">${toStops(stops)}</linearGradient>`;
}

export function radial(id: string, stops: readonly Stop[]): string {
  return `<radialGradient id="${id}">${toStops(stops)}</radialGradient>`;
}

export function blur(id: string, x: number, y = x): string {
  return `<filter id="${id}" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${x} ${y}"/></filter>`;
}

/** Attributes as they stand in a tag. */
export type Attributes = Record<string, string | number>;

function toText(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');
}

export function rect(x: number, y: number, width: number, height: number, attributes: Attributes = {}): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}"${toText(attributes)}/>`;
}

export function shape(d: string, attributes: Attributes = {}): string {
  return `<path d="${d}"${toText(attributes)}/>`;
}

export function ellipse(x: number, y: number, rx: number, ry: number, attributes: Attributes = {}): string {
  return `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}"${toText(attributes)}/>`;
}

export function group(children: readonly string[], attributes: Attributes = {}): string {
  return `<g${toText(attributes)}>${children.join('')}</g>`;
}

export function times(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join('');
}

/** Falling rain over an area: thin slanted strokes, the near ones longer and brighter. */
export function rain(seed: number, area: { width: number; height: number; count: number; color: string }): string {
  const random = createRandom(seed);
  return times(area.count, () => {
    const near = random.next() ** 2;
    const length = 30 + near * 150;
    const x = random.between(-100, area.width + 100);
    const y = random.between(-150, area.height);
    return `<path d="M${x.toFixed(0)} ${y.toFixed(0)}l${(-length * 0.13).toFixed(1)} ${length.toFixed(0)}" stroke="${area.color}" stroke-width="${(1 + near * 2.4).toFixed(1)}" opacity="${(0.1 + near * 0.34).toFixed(2)}" stroke-linecap="round"/>`;
  });
}

/** Grain as of paper, which keeps wide gradients from banding. */
const GRAIN = `<filter id="grain" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency=".8" numOctaves="2" seed="4"/><feColorMatrix values="0 0 0 0 .5  0 0 0 0 .5  0 0 0 0 .5  0 0 0 1.1 -.42"/></filter>`;

export function grain(width: number, height: number, opacity = 0.12): string {
  return rect(0, 0, width, height, { filter: 'url(#grain)', opacity, style: 'mix-blend-mode:soft-light' });
}

/** A leafy mass: overlapping blobs inside an ellipse, light from one side. */
export function foliage(
  seed: number,
  area: { x: number; y: number; rx: number; ry: number; count: number; size: number; colors: readonly string[] },
): string {
  const random = createRandom(seed);
  return times(area.count, (index) => {
    const angle = random.between(0, Math.PI * 2);
    const distance = Math.sqrt(random.next());
    const x = area.x + Math.cos(angle) * distance * area.rx;
    const y = area.y + Math.sin(angle) * distance * area.ry;
    const depth = Math.floor((index / area.count) * area.colors.length);
    const size = area.size * random.between(0.5, 1.2);
    return ellipse(
      Math.round(x),
      Math.round(y - (index / area.count) * area.size),
      Math.round(size),
      Math.round(size * 0.72),
      {
        fill: area.colors[depth] ?? area.colors[0] ?? '#000',
        transform: `rotate(${Math.round(random.between(-40, 40))} ${Math.round(x)} ${Math.round(y)})`,
      },
    );
  });
}

export function toSvg({ width, height, defs, body }: Picture): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs>${GRAIN}${defs}</defs>${body}</svg>`;
}
