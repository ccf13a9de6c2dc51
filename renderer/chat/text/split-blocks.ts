/** A piece of Markdown that is parsed on its own. `source` is the text itself: the sources of all blocks make the whole. */
export interface MarkdownBlock {
  /** Where it begins in the text, in UTF-16 units. It never changes once the block is there, so it serves as a key. */
  start: number;
  source: string;
  /** What the parser needs before the source where the block goes on with a fence or a table that was cut; else empty. */
  lead: string;
}

/** A block longer than this is cut at the next good place, in UTF-16 units: parsing one has to fit in a frame. */
const LONG = 2500;
/** Shorter blocks share one: each parse has a price of its own. */
const SHORT = 600;
/** From here on any place will do. */
const TOO_LONG = 2 * LONG;
/** So much of a line says to which block it belongs. */
const TELLING = 200;

const FENCE = /^ {0,3}(`{3,}|~{3,})([^\n]*)/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const TABLE_RULE = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
/** HTML in which an empty line ends nothing, and what ends it. */
const RAW_HTML = /^ {0,3}<(?:(pre|script|style|textarea)(?=[\s>]|$)|(!--))/i;

/** What the lines so far leave open. */
interface Open {
  /** The opening line of the fence the text is in, and its marker. */
  fence: { line: string; marker: string } | null;
  /** The two first lines of the table the text is in. */
  table: string | null;
  /** What ends the raw HTML the text is in. */
  html: string | null;
  isList: boolean;
  previous: string;
}

const NOTHING_OPEN: Open = { fence: null, table: null, html: null, isList: false, previous: '' };

/**
 * Splits a text that grows into blocks that can be parsed apart. What was split stays split: each call looks only at what
 * came since the last one, and every block but the last is the same object as before. A text that does not continue the
 * last one starts over. Where blocks end does not depend on the pieces in which the text comes.
 */
export function createBlockSplitter(): (text: string) => readonly MarkdownBlock[] {
  let known = '';
  let finished: MarkdownBlock[] = [];
  /** The unfinished block, and the unfinished line. */
  let start = 0;
  let lineStart = 0;
  let lead = '';
  let open = NOTHING_OPEN;
  let isBlankBefore = false;
  /** Whether it is settled to which block the unfinished line belongs. */
  let isPlaced = false;
  let isFirstLine = true;

  const reset = (): void => {
    known = '';
    finished = [];
    start = 0;
    lineStart = 0;
    lead = '';
    open = NOTHING_OPEN;
    isBlankBefore = false;
    isPlaced = false;
    isFirstLine = true;
  };

  const finish = (end: number, nextLead: string): void => {
    finished.push({ start, source: known.slice(start, end), lead });
    start = end;
    lead = nextLead;
  };

  const placeLine = (beginning: string): void => {
    const length = lineStart - start;
    isFirstLine = length === 0 && lead === '';
    if (startsBlock(beginning, open, isBlankBefore)) {
      if (length >= SHORT) finish(lineStart, '');
      open = NOTHING_OPEN;
      isFirstLine = true;
    } else if (length >= LONG && mayCut(beginning, open, length)) {
      finish(lineStart, toLead(open));
    }
    isPlaced = true;
  };

  /** A line that goes on for long is cut at the end of a sentence, or at any place when there is none. */
  const cutLongLine = (end: number): void => {
    while (end - start >= TOO_LONG) {
      finish(start + LONG + toCut(known.slice(start + LONG, start + TOO_LONG)), toLead(open));
    }
  };

  const takeLine = (end: number): void => {
    const line = known.slice(lineStart, end);
    open = readLine(line, open, isFirstLine);
    isBlankBefore = line.trim() === '' && open.fence === null && open.html === null;
    lineStart = end + 1;
    isPlaced = false;
  };

  return (text) => {
    if (!text.startsWith(known)) reset();
    known = text;
    for (;;) {
      const lineEnd = text.indexOf('\n', lineStart);
      const end = lineEnd < 0 ? text.length : lineEnd;
      if (!isPlaced && (lineEnd >= 0 || end - lineStart >= TELLING)) {
        placeLine(text.slice(lineStart, Math.min(end, lineStart + TELLING)));
      }
      if (isPlaced) cutLongLine(end);
      if (lineEnd < 0) break;
      takeLine(lineEnd);
    }
    return start === text.length ? finished : [...finished, { start, source: text.slice(start), lead }];
  };
}

/** True when a line begins another block of the document, whatever the parser makes of it. */
function startsBlock(line: string, open: Open, isBlankBefore: boolean): boolean {
  if (open.fence || open.html || !isBlankBefore || line.trim() === '' || /^[ \t]/.test(line)) return false;
  return !(open.isList && LIST_ITEM.test(line));
}

function mayCut(line: string, open: Open, length: number): boolean {
  if (length >= TOO_LONG || open.fence) return true;
  if (open.html) return false;
  return open.isList ? LIST_ITEM.test(line) : line.trim() !== '';
}

function readLine(line: string, open: Open, isFirst: boolean): Open {
  const previous = line;
  if (open.fence) {
    const isEnd = line.trim().startsWith(open.fence.marker) && /^ {0,3}[`~]+\s*$/.test(line);
    return { ...open, previous, fence: isEnd ? null : open.fence };
  }
  if (open.html) return { ...open, previous, html: line.toLowerCase().includes(open.html) ? null : open.html };
  const [, marker, info = ''] = FENCE.exec(line) ?? [];
  if (marker && !(marker.startsWith('`') && info.includes('`'))) return { ...open, previous, fence: { line, marker } };
  const [, tag, comment] = RAW_HTML.exec(line) ?? [];
  if (tag ?? comment) {
    const html = tag ? `</${tag.toLowerCase()}` : '-->';
    return { ...open, previous, html: line.toLowerCase().includes(html) ? null : html };
  }
  const isRule = open.previous.includes('|') && line.includes('-') && TABLE_RULE.test(line);
  const table = isRule ? `${open.previous}\n${line}\n` : line.includes('|') ? open.table : null;
  return { ...open, previous, table, isList: isFirst ? LIST_ITEM.test(line) : open.isList };
}

function toLead({ fence, table }: Open): string {
  return fence ? `${fence.line}\n` : (table ?? '');
}

/** Where to cut a stretch of text: after the first end of a sentence, else after a space, else where no character is torn. */
function toCut(stretch: string): number {
  const sentence = /[。！？!?.]["'”’」』）)]*\s?/u.exec(stretch) ?? /\s/u.exec(stretch);
  if (sentence) return sentence.index + sentence[0].length;
  return /[\uD800-\uDBFF]$/.test(stretch) ? stretch.length - 1 : stretch.length;
}
