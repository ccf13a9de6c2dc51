import { toParsedTexts } from './link-definitions.ts';
import { createBlockSplitter, type MarkdownBlock } from './split-blocks.ts';

/** A part of an answer that is one row. The object identity changes only with the displayed content. */
export interface AnswerPart {
  /** 0-based position in the answer. */
  index: number;
  blocks: readonly PartBlock[];
}

/** A rendered block; `text` is the input of the parser. */
export interface PartBlock {
  start: number;
  text: string;
  /** True for a fence or a table that continues the block above. */
  isContinued: boolean;
}

/** Characters per part: a row of this size renders within a frame. */
const MAX_PART_LENGTH = 3000;

/**
 * Creates a function that splits a growing answer into parts of whole blocks. Full parts keep their identity, so a long
 * answer costs only its new text, and only visible parts are rendered.
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
      if (length < MAX_PART_LENGTH && at < blocks.length - 1) continue;
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
