import ts from 'typescript';
import type { Check, Finding } from './allow-list.ts';
import { isTypeScript, lineAt, parse, type SourceTree } from './source-tree.ts';

/** The style guide's list of words that personify the program or tell a story. */
const REJECTED = [
  ...['she', 'her', 'hers', 'herself', 'he', 'him', 'his', 'nobody', 'whoever', 'mends', 'mended'],
  ...['nothing shall', 'whatever became', 'sets out', 'beside her', 'of hers', 'in her words', 'dear reader'],
];
// The longest first, so that "of hers" is one finding.
const PATTERN = new RegExp(
  `(?<![\\p{L}\\p{N}_])(${REJECTED.toSorted((a, b) => b.length - a.length)
    .map((phrase) => phrase.replace(' ', '\\s+'))
    .join('|')})(?![\\p{L}\\p{N}_])`,
  'giu',
);
const HAN_OR_KANA = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

interface Exemption {
  path: RegExp;
  /** The text around the word; without it the whole file is exempt. */
  text?: string;
  reason: string;
}

const EXEMPT: Exemption[] = [
  { path: /^scripts\/checks\/words(\.test)?\.ts$/, reason: 'The list itself, and the test that uses it.' },
  { path: /^assets\/(licences|sample-game\/(game|LICENSE))/, reason: 'Licence texts, and the text of a story.' },
  { path: /\.(ts|yml)$/, text: "'nobody'", reason: 'The Unix account without rights.' },
  { path: /\.(ts|md)$/, text: '`nobody`', reason: 'The Unix account without rights.' },
  { path: /^README\.md$/, text: 'give her two choices', reason: 'A request about a story, as a user writes it.' },
  { path: /^(LICENSE|package-lock\.json)$/, reason: 'Text of others.' },
];

const READ = /\.(tsx?|js|css|html|md|ya?ml|json)$/;

/** Rejects the words in code, comments, docs and English strings. A string with Han or kana is story text and exempt. */
export function createWordCheck(exempt: Exemption[] = EXEMPT): Check {
  return {
    name: 'words',
    kind: 'count',
    advice:
      'Use plain technical English (CONTRIBUTING.md): the person is "the user", a program reports and stores. Story text of a test: an entry in EXEMPT of scripts/checks/words.ts with the reason.',
    find: (tree) => findWords(tree, exempt),
  };
}

function findWords(tree: SourceTree, exempt: Exemption[]): Finding[] {
  return tree.paths
    .filter((path) => READ.test(path))
    .flatMap((path) => {
      const matching = exempt.filter((entry) => entry.path.test(path));
      if (matching.some((entry) => entry.text === undefined)) return [];
      const texts = matching.flatMap((entry) => entry.text ?? []);
      return findInText(path, tree.read(path), texts);
    });
}

function findInText(path: string, text: string, exemptTexts: string[]): Finding[] {
  // Most files have none of the words; only the others are parsed.
  if (text.search(PATTERN) === -1) return [];
  const file = isTypeScript(path) ? parse(path, text) : null;
  const skipped = [...exemptTexts.flatMap((part) => findAll(text, part)), ...(file ? findStories(file) : [])];
  const findings: Finding[] = [];
  for (const match of text.matchAll(PATTERN)) {
    if (skipped.some(([start, end]) => match.index >= start && match.index < end)) continue;
    const line = file ? lineAt(file, match.index) : text.slice(0, match.index).split('\n').length;
    findings.push({
      file: path,
      line,
      key: path,
      amount: 1,
      message: `"${match[0]}" is on the list of words to avoid`,
    });
  }
  return findings;
}

type Range = [start: number, end: number];

function findAll(text: string, part: string): Range[] {
  const ranges: Range[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) ranges.push([at, at + part.length]);
  return ranges;
}

/** The strings and templates that hold Han or kana anywhere. */
function findStories(file: ts.SourceFile): Range[] {
  const ranges: Range[] = [];
  const visit = (node: ts.Node): void => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isJsxText(node);
    if (isText && HAN_OR_KANA.test(node.getText(file))) ranges.push([node.getStart(file), node.getEnd()]);
    else ts.forEachChild(node, visit);
  };
  visit(file);
  return ranges;
}
