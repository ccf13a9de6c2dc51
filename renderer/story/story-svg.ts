import type { Palette } from '../ui/palette.ts';
import { estimateWidth, fitText } from './fit-text.ts';
import {
  EDGE_FONT,
  EDGE_LINE,
  NODE,
  type PlacedEdge,
  type PlacedMap,
  type PlacedNode,
  toArrow,
  toPath,
} from './lay-out-story.ts';
import type { Mark } from './story-map.ts';

/** How a picture of the map looks. */
export interface PictureLook {
  palette: Palette;
  fontFamily: string;
  /** What the picture is called, for those who do not see it. */
  title: string;
}

const TONES: Record<Mark, [ink: keyof Palette, ground: keyof Palette]> = {
  start: ['accent', 'accentSoft'],
  ending: ['added', 'addedSoft'],
  deadEnd: ['warn', 'warnSoft'],
  unreachable: ['muted', 'sunk'],
  missing: ['error', 'errorSoft'],
};

/** What XML 1.0 cannot hold, half surrogate pairs included. */
const UNSPEAKABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are forbidden
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The text as it may stand in XML, between tags and in attributes. */
export function escapeXml(text: string): string {
  return text
    .replace(UNSPEAKABLE, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');
}

/** The map as an SVG document that stands on its own. */
export function toStorySvg({ nodes, edges, width, height }: PlacedMap, look: PictureLook): string {
  const { palette } = look;
  const [wide, high] = [Math.max(1, Math.ceil(width)), Math.max(1, Math.ceil(height))];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}" viewBox="0 0 ${wide} ${high}" font-family="${escapeXml(look.fontFamily)}" role="img">`,
    `<title>${escapeXml(look.title)}</title>`,
    `<rect width="100%" height="100%" fill="${palette.panel}"/>`,
    ...edges.map((edge) => drawLine(edge, palette)),
    ...edges.map((edge) => drawLabel(edge, palette)),
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

function drawLine({ points, kind }: PlacedEdge, palette: Palette): string {
  const color = kind === 'missing' ? palette.error : palette.edge;
  const dash = kind === 'call' ? ' stroke-dasharray="5 4"' : kind === 'missing' ? ' stroke-dasharray="2 3"' : '';
  return `<path d="${toPath(points)}" fill="none" stroke="${color}" stroke-width="1.4"${dash}/><path d="${toArrow(points)}" fill="${color}"/>`;
}

function drawLabel({ label }: PlacedEdge, palette: Palette): string {
  if (label === null) return '';
  const { x, y, width, height, lines } = label;
  const top = y - height / 2;
  const rows = lines.map((text, index) =>
    drawText(
      text,
      { x, y: top + 2 + EDGE_LINE * (index + 0.75) },
      { size: EDGE_FONT, fill: index === 0 ? palette.ink : palette.muted, anchor: 'middle' },
    ),
  );
  return `<rect x="${(x - width / 2).toFixed(1)}" y="${top.toFixed(1)}" width="${width.toFixed(1)}" height="${height}" rx="4" fill="${palette.panel}"/>${rows.join('')}`;
}

function drawNode({ x, y, title, opening, note, marks }: PlacedNode, palette: Palette): string {
  const isPale = marks.some(({ mark }) => mark === 'unreachable' || mark === 'missing');
  const ink = isPale ? palette.muted : palette.ink;
  const left = x + 12;
  const room = NODE.width - 24;
  let right = x + NODE.width - 10;
  const badges = marks.map(({ mark, text }) => {
    const [inkName, groundName] = TONES[mark];
    const width = estimateWidth(text, 10) + 10;
    right -= width;
    const badge = `<rect x="${right.toFixed(1)}" y="${y + 10}" width="${width.toFixed(1)}" height="16" rx="4" fill="${palette[groundName]}"/>${drawText(text, { x: right + 5, y: y + 21.5 }, { size: 10, fill: palette[inkName] })}`;
    right -= 4;
    return badge;
  });
  const dash = isPale ? ' stroke-dasharray="4 3"' : '';
  return [
    `<rect x="${x}" y="${y}" width="${NODE.width}" height="${NODE.height}" rx="9" fill="${isPale ? palette.sunk : palette.raised}" stroke="${palette.edge}"${dash}/>`,
    drawText(fitText(title, right - left - 2, 13), { x: left, y: y + 23 }, { size: 13, fill: ink, weight: 600 }),
    ...badges,
    opening === '' ? '' : drawText(fitText(opening, room, 12), { x: left, y: y + 44 }, { size: 12, fill: ink }),
    note === '' ? '' : drawText(fitText(note, room, 11), { x: left, y: y + 64 }, { size: 11, fill: palette.muted }),
  ].join('');
}
