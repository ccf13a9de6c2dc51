import type { MarkdownBlock } from './split-blocks.ts';

const DEFINITION = /^ {0,3}\[(\^?[^\]\n]{1,200})\]:[^\n]*(?:\n(?: {2,}|\t)[^\n]*)*/gm;
const LABEL = /\[(\^?[^[\]\n]{1,200})\]/g;

interface Labels {
  defined: ReadonlyMap<string, string>;
  used: ReadonlySet<string>;
}

const known = new WeakMap<MarkdownBlock, Labels>();
const NONE: Labels = { defined: new Map(), used: new Set() };

function toLabels(block: MarkdownBlock): Labels {
  if (!block.source.includes('[')) return NONE;
  const before = known.get(block);
  if (before) return before;
  const toKey = (label = '') => label.trim().toLowerCase();
  const defined = new Map([...block.source.matchAll(DEFINITION)].map((match) => [toKey(match[1]), match[0]] as const));
  const used = new Set([...block.source.matchAll(LABEL)].map(([, label]) => toKey(label)));
  const labels = { defined, used };
  known.set(block, labels);
  return labels;
}

/**
 * Returns the text to parse for each block: its own, plus the definitions of links and footnotes that it references and
 * that other blocks contain.
 */
export function toParsedTexts(blocks: readonly MarkdownBlock[]): string[] {
  const definitions = new Map<string, string>();
  for (const block of blocks) {
    for (const [label, text] of toLabels(block).defined) if (!definitions.has(label)) definitions.set(label, text);
  }
  return blocks.map((block) => {
    const own = block.lead + block.source;
    if (definitions.size === 0) return own;
    const { defined, used } = toLabels(block);
    const missing = [...used].filter((label) => definitions.has(label) && !defined.has(label));
    return missing.length === 0 ? own : [own, ...missing.map((label) => definitions.get(label))].join('\n\n');
  });
}
