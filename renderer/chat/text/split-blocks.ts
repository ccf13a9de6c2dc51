/** A separately parsed piece of Markdown. The `source` texts of all blocks join to the whole text. */
export interface MarkdownBlock {
  /** Offset in the text, in UTF-16 units. Never changes once the block exists, so it serves as a key. */
  start: number;
  source: string;
  /** Text to put before the source if the block continues a fence or table that was cut; else empty. */
  lead: string;
}

/** In UTF-16 units. A longer block is cut at the next suitable position: parsing one must fit in a frame. */
const SOFT_BLOCK_LENGTH = 2500;
/** In UTF-16 units. Shorter blocks are joined: each parse has a fixed cost. */
const MIN_BLOCK_LENGTH = 600;
/** In UTF-16 units. From this length on, a block is cut at any position. */
const MAX_BLOCK_LENGTH = 2 * SOFT_BLOCK_LENGTH;
/** UTF-16 units of a line that are enough to assign it to a block. */
const LINE_PREFIX_LENGTH = 200;

const FENCE = /^ {0,3}(`{3,}|~{3,})([^\n]*)/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const TABLE_RULE = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
/** Start of raw HTML that an empty line does not end. */
const RAW_HTML = /^ {0,3}<(?:(pre|script|style|textarea)(?=[\s>]|$)|(!--))/i;

/** Constructs that the lines read so far leave open. */
interface Open {
  /** Opening line and marker of the open fence. */
  fence: { line: string; marker: string } | null;
  /** First two lines of the open table. */
  table: string | null;
  /** Text that ends the open raw HTML. */
  html: string | null;
  isList: boolean;
  previous: string;
}

const NOTHING_OPEN: Open = { fence: null, table: null, html: null, isList: false, previous: '' };

/**
 * Creates a function that splits a growing text into separately parsed blocks. Incremental: each call reads only the text
 * that was added since the last call, and every block but the last keeps its identity. A text that does not continue the
 * last one starts over. Block boundaries do not depend on the chunks in which the text arrives.
 */
export function createBlockSplitter(): (text: string) => readonly MarkdownBlock[] {
  let known = '';
  let finished: MarkdownBlock[] = [];
  /** Offsets of the unfinished block and the unfinished line. */
  let start = 0;
  let lineStart = 0;
  let lead = '';
  let open = NOTHING_OPEN;
  let isBlankBefore = false;
  /** True once the unfinished line is assigned to a block. */
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
      if (length >= MIN_BLOCK_LENGTH) finish(lineStart, '');
      open = NOTHING_OPEN;
      isFirstLine = true;
    } else if (length >= SOFT_BLOCK_LENGTH && maySplit(beginning, open, length)) {
      finish(lineStart, toLead(open));
    }
    isPlaced = true;
  };

  /** Cuts a long line at the end of a sentence, or at any position if there is none. */
  const splitLongLine = (end: number): void => {
    while (end - start >= MAX_BLOCK_LENGTH) {
      finish(
        start + SOFT_BLOCK_LENGTH + toSplit(known.slice(start + SOFT_BLOCK_LENGTH, start + MAX_BLOCK_LENGTH)),
        toLead(open),
      );
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
      if (!isPlaced && (lineEnd >= 0 || end - lineStart >= LINE_PREFIX_LENGTH)) {
        placeLine(text.slice(lineStart, Math.min(end, lineStart + LINE_PREFIX_LENGTH)));
      }
      if (isPlaced) splitLongLine(end);
      if (lineEnd < 0) break;
      takeLine(lineEnd);
    }
    return start === text.length ? finished : [...finished, { start, source: text.slice(start), lead }];
  };
}

/** True if a line starts a new top-level block, whatever its type. */
function startsBlock(line: string, open: Open, isBlankBefore: boolean): boolean {
  if (open.fence || open.html || !isBlankBefore || line.trim() === '' || /^[ \t]/.test(line)) return false;
  return !(open.isList && LIST_ITEM.test(line));
}

function maySplit(line: string, open: Open, length: number): boolean {
  if (length >= MAX_BLOCK_LENGTH || open.fence) return true;
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

/** Returns the cut position: after the first sentence end, else after a space, else at the end without splitting a pair. */
function toSplit(stretch: string): number {
  const sentence = /[。！？!?.]["'”’」』）)]*\s?/u.exec(stretch) ?? /\s/u.exec(stretch);
  if (sentence) return sentence.index + sentence[0].length;
  return /[\uD800-\uDBFF]$/.test(stretch) ? stretch.length - 1 : stretch.length;
}
