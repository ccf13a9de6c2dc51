import type { Palette } from '../../ui/theme/palette.ts';
import { estimateWidth, fitText, fitTitle } from '../layout/fit-text.ts';
import { MARK_SHAPES } from '../layout/mark-shape.ts';
import { NODE, type PlacedMap, type PlacedNode, type PlacedWay, ROW } from '../layout/placed-map.ts';
import type { Mark } from '../layout/story-map.ts';
import { toHeads, toPath } from '../layout/way-shape.ts';

/** Appearance of an exported image. */
export interface PictureLook {
  palette: Palette;
  fontFamily: string;
  /** Accessible title of the image. */
  title: string;
}

/** Characters that XML 1.0 does not allow, including lone surrogates. */
const INVALID_XML =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids exactly these
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Escapes text for XML content and attributes; replaces characters that XML does not allow with U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .replace(INVALID_XML, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');
}

/** Returns the map as a standalone SVG document. */
export function toStorySvg({ nodes, ways, width, height }: PlacedMap, look: PictureLook): string {
  const { palette } = look;
  const [wide, high] = [Math.max(1, Math.ceil(width)), Math.max(1, Math.ceil(height))];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}" viewBox="0 0 ${wide} ${high}" font-family="${escapeXml(look.fontFamily)}" role="img">`,
    `<title>${escapeXml(look.title)}</title>`,
    `<rect width="100%" height="100%" fill="${palette.panel}"/>`,
    ...ways.map((way) => drawLine(way, palette)),
    ...ways.map((way) => drawLabel(way, palette)),
    ...nodes.map((node) => drawNode(node, palette)),
    '</svg>',
  ]
    .filter(Boolean)
    .join('\n');
}

interface TextLook {
  size: number;
  fill: string;
  weight?: number;
  anchor?: 'middle';
}

function drawText(text: string, at: { x: number; y: number }, { size, fill, weight, anchor }: TextLook): string {
  const more = `${weight ? ` font-weight="${weight}"` : ''}${anchor ? ` text-anchor="${anchor}"` : ''}`;
  return `<text x="${at.x.toFixed(1)}" y="${at.y.toFixed(1)}" font-size="${size}" fill="${fill}"${more}>${escapeXml(text)}</text>`;
}

function drawLine({ points, kind, returns }: PlacedWay, palette: Palette): string {
  const color = kind === 'missing' ? palette.error : palette.edge;
  const dash = kind === 'call' ? ' stroke-dasharray="5 4"' : kind === 'missing' ? ' stroke-dasharray="2 3"' : '';
  return `<path d="${toPath(points)}" fill="none" stroke="${color}" stroke-width="1.4"${dash}/><path d="${toHeads(points, returns)}" fill="${color}"/>`;
}

function drawLabel({ label }: PlacedWay, palette: Palette): string {
  if (label === null) return '';
  const { x, y, width, height, rows } = label;
  const top = y - height / 2;
  const texts = rows.map(({ text, isQuiet }, index) =>
    drawText(
      text,
      { x, y: top + 2 + ROW.height * (index + 0.75) },
      { size: ROW.font, fill: isQuiet ? palette.muted : palette.ink, anchor: 'middle' },
    ),
  );
  return `<rect x="${(x - width / 2).toFixed(1)}" y="${top.toFixed(1)}" width="${width.toFixed(1)}" height="${height}" rx="4" fill="${palette.panel}"/>${texts.join('')}`;
}

const has = ({ marks }: PlacedNode, wanted: Mark) => marks.some(({ mark }) => mark === wanted);

function drawNode(node: PlacedNode, palette: Palette): string {
  const { x, y, title, opening, note, marks } = node;
  const isPale = has(node, 'unreachable') || has(node, 'missing');
  const ink = isPale ? palette.muted : palette.ink;
  const left = x + (has(node, 'start') ? 20 : 12);
  const end = x + NODE.width - (has(node, 'ending') ? 20 : 12);
  let right = end;
  const badges = marks.map(({ mark, text }) => {
    const shape = MARK_SHAPES[mark];
    const fill = palette[shape.ink];
    const width = estimateWidth(text, 10) + 22;
    right -= width;
    const ground = `<rect x="${right.toFixed(1)}" y="${y + 10}" width="${width.toFixed(1)}" height="16" rx="4" fill="${palette[shape.ground]}"/>`;
    const icon = `<path transform="translate(${(right + 5).toFixed(1)} ${(y + 13.5).toFixed(1)}) scale(0.75)" d="${shape.icon}" fill="${fill}" fill-rule="evenodd"/>`;
    const badge = ground + icon + drawText(text, { x: right + 17, y: y + 21.5 }, { size: 10, fill });
    right -= 4;
    return badge;
  });
  return [
    drawBox(node, isPale, palette),
    drawText(fitTitle(title, right - left - 2, 13), { x: left, y: y + 23 }, { size: 13, fill: ink, weight: 600 }),
    ...badges,
    opening === '' ? '' : drawText(fitText(opening, end - left, 12), { x: left, y: y + 43 }, { size: 12, fill: ink }),
    note === ''
      ? ''
      : drawText(fitText(note, end - left, 11), { x: left, y: y + 62 }, { size: 11, fill: palette.muted }),
  ].join('');
}

/** Draws the outline of a node: rounded for start and ending, barred for a dead end. */
function drawBox(node: PlacedNode, isPale: boolean, palette: Palette): string {
  const { x, y } = node;
  const { width, height } = NODE;
  const round = (wanted: Mark) => (has(node, wanted) ? height / 2 : has(node, 'missing') ? 0 : 9);
  const [a, b] = [round('start'), has(node, 'deadEnd') ? 0 : round('ending')];
  const path = `M${x + a},${y} H${x + width - b} a${b},${b} 0 0 1 ${b},${b} V${y + height - b} a${b},${b} 0 0 1 ${-b},${b} H${x + a} a${a},${a} 0 0 1 ${-a},${-a} V${y + a} a${a},${a} 0 0 1 ${a},${-a} Z`;
  const tone = (['missing', 'deadEnd', 'ending', 'start'] as const).find((mark) => has(node, mark));
  const stroke = tone === undefined || has(node, 'unreachable') ? palette.edge : palette[MARK_SHAPES[tone].ink];
  const bar = has(node, 'deadEnd')
    ? `<path d="M${x + width - 3},${y} v${height}" stroke="${stroke}" stroke-width="6"/>`
    : '';
  const dash = isPale ? ' stroke-dasharray="4 3"' : '';
  return `<path d="${path}" fill="${isPale ? palette.sunk : palette.raised}" stroke="${stroke}"${dash}/>${bar}`;
}
