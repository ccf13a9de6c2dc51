import type { PlaceholderKind, PlaceholderPicture } from '../../../shared/model/asset/placeholder.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { toBlob } from '../../ui/blob-bytes.ts';
import { toPlaceholderLabel } from './placeholder-label.ts';

type Kind = PlaceholderPicture['kind'];
type Size = readonly [width: number, height: number];

/**
 * In pixels. The stage has 2,560 × 1,440, a background covers it, and a figure is scaled to its height. An avatar is shown in a square.
 */
const SIZES: Readonly<Record<Kind, Size>> = { background: [2560, 1440], figure: [720, 1440], avatar: [512, 512] };
const JPEG_QUALITY = 0.8;
const WEBP_QUALITY = 0.85;
const FONT = 'system-ui, sans-serif';
const LINE_HEIGHT = 1.25;

/** The words above the name: what the picture stands for. */
export type KindWords = Readonly<Record<Extract<PlaceholderKind, Kind>, string>>;

/**
 * Draws a picture with the name of its file: few flat colours, so that it has few bytes. Names that begin alike have one colour. Null where
 * the browser cannot write the type.
 */
export async function drawPlaceholder(
  { path, kind, type }: PlaceholderPicture,
  words: KindWords,
): Promise<Blob | null> {
  const [width, height] = SIZES[kind];
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) return null;
  const { name, hue } = toPlaceholderLabel(path);
  if (kind === 'background') drawScenery(context, { width, height, hue });
  else {
    // JPEG has no transparency: what is transparent would become black.
    if (type === 'image/jpeg') fillAll(context, '#d0d0d0');
    drawPerson(context, { width, height, hue });
  }
  // Above the text box, which covers the lower third of the stage.
  const middle = kind === 'background' ? 0.34 : kind === 'figure' ? 0.46 : 0.76;
  drawWords(context, { small: words[kind], large: toVisible(name), at: height * middle, width: width * 0.8 });
  const blob = await toBlob(canvas, type, type === 'image/jpeg' ? JPEG_QUALITY : WEBP_QUALITY);
  return blob?.type === type ? blob : null;
}

interface Area {
  width: number;
  height: number;
  hue: number;
}

function fillAll(context: CanvasRenderingContext2D, color: string): void {
  context.fillStyle = color;
  context.fillRect(0, 0, context.canvas.width, context.canvas.height);
}

/** A sky with two hills. */
function drawScenery(context: CanvasRenderingContext2D, { width, height, hue }: Area): void {
  fillAll(context, `hsl(${hue} 28% 40%)`);
  for (const [x, radius, light] of [
    [0.25, 0.9, 34],
    [0.8, 1.05, 29],
  ] as const) {
    context.fillStyle = `hsl(${hue} 28% ${light}%)`;
    context.beginPath();
    context.ellipse(width * x, height * 1.45, width * 0.6, height * radius * 0.8, 0, 0, 2 * Math.PI);
    context.fill();
  }
}

/** A head on shoulders, down to the lower edge. */
function drawPerson(context: CanvasRenderingContext2D, { width, height, hue }: Area): void {
  const isPortrait = width === height;
  const head = width * (isPortrait ? 0.2 : 0.19);
  const [middle, top] = [width / 2, height * 0.04];
  const shoulders = top + head * 2.35;
  context.fillStyle = `hsl(${hue} 30% 42%)`;
  context.strokeStyle = 'rgb(255 255 255 / 80%)';
  context.lineWidth = width / 90;
  context.beginPath();
  context.ellipse(middle, top + head * 1.1, head * 0.9, head * 1.1, 0, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
  context.beginPath();
  context.roundRect(width * 0.06, shoulders, width * 0.88, height, width * 0.28);
  context.fill();
  context.stroke();
}

/** Writes the kind and, below it, the name: smaller and in up to three lines until it fits. */
function drawWords(
  context: CanvasRenderingContext2D,
  { small, large, at, width }: { small: string; large: string; at: number; width: number },
): void {
  context.fillStyle = '#fff';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const middle = context.canvas.width / 2;
  const size = width / (width > context.canvas.height ? 9 : 7);
  context.font = `${Math.round(size * 0.6)}px ${FONT}`;
  context.fillText(small, middle, at - size, width);
  context.font = `600 ${Math.round(size)}px ${FONT}`;
  const lines = wrap(large, (text) => context.measureText(text).width <= width);
  for (const [index, line] of lines.entries()) {
    context.fillText(line, middle, at + index * size * LINE_HEIGHT, width);
  }
}

const MAX_LINES = 3;

/** Breaks after a hyphen or the like where there is one, else between characters. What does not fit ends in an ellipsis. */
function wrap(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  let line = '';
  for (const character of text) {
    if (line === '' || fits(line + character)) {
      line += character;
      continue;
    }
    const end = toBreak(line);
    lines.push(line.slice(0, end));
    line = line.slice(end) + character;
    if (lines.length === MAX_LINES) return [...lines.slice(0, -1), `${lines.at(-1)?.slice(0, -1)}…`];
  }
  return [...lines, line];
}

/** Where a full line ends: after the last separator in its second half. */
function toBreak(line: string): number {
  const at = Math.max(...['-', '_', ' ', '.'].map((mark) => line.lastIndexOf(mark))) + 1;
  return at > line.length / 2 ? at : line.length;
}
