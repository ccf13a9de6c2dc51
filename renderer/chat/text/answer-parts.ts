import { toParsedTexts } from './link-definitions.ts';
import { createBlockSplitter, type MarkdownBlock } from './split-blocks.ts';

/** A part of an answer that makes a row of its own. The same object as long as what it shows is the same. */
export interface AnswerPart {
  /** Its place in the answer, from 0. */
  index: number;
  blocks: readonly PartBlock[];
}

/** A block as it is drawn; `text` is what the parser gets. */
export interface PartBlock {
  start: number;
  text: string;
  /** True for a fence or a table that goes on from the block above. */
  isContinued: boolean;
}

/** So many characters make a part full: a row of them is drawn within a frame. */
const FULL = 3000;

/**
 * Splits an answer that grows into parts of whole blocks. Parts that are full keep their identity, so that a long answer
 * costs what is new of it, and only what is in sight has to be drawn.
 */
export function createAnswerParts(): (text: string) => readonly AnswerPart[] {
  const split = createBlockSplitter();
  let known: readonly AnswerPart[] = [];
  let knownText = '';
  return (text) => {
    if (text === knownText) return known;
    knownText = text;
    const blocks = split(text);
    const parsed = toParsedTexts(blocks);
    const parts: AnswerPart[] = [];
    let from = 0;
    let length = 0;
    for (const [at, { source }] of blocks.entries()) {
      length += source.length;
      if (length < FULL && at < blocks.length - 1) continue;
      const before = known[parts.length];
      parts.push(
        isSame(before, blocks, parsed, from, at + 1) ? before : toPart(parts.length, blocks, parsed, from, at + 1),
      );
      from = at + 1;
      length = 0;
    }
    known = parts;
    return parts;
  };
}

function toPart(
  index: number,
  blocks: readonly MarkdownBlock[],
  parsed: readonly string[],
  from: number,
  end: number,
): AnswerPart {
  const own = blocks.slice(from, end).map(({ start, lead }, at) => ({
    start,
    text: parsed[from + at] ?? '',
    isContinued: lead !== '',
  }));
  return { index, blocks: own };
}

function isSame(
  part: AnswerPart | undefined,
  blocks: readonly MarkdownBlock[],
  parsed: readonly string[],
  from: number,
  end: number,
): part is AnswerPart {
  if (part?.blocks.length !== end - from) return false;
  return part.blocks.every(({ start, text }, at) => start === blocks[from + at]?.start && text === parsed[from + at]);
}
