import ts from 'typescript';
import type { Check, Finding } from './allow-list.ts';
import { isSource, lineAt, parse, type SourceTree } from './source-tree.ts';

const HAN = /\p{Script=Han}/u;

/** Files whose Chinese text is data and not part of the interface. */
const EXEMPT: { path: RegExp; reason: string }[] = [
  { path: /^assets\//, reason: 'The sample game and its sources.' },
  { path: /\/(practice|practice-[a-z-]+)\.ts$/, reason: 'The story that the practice assistant writes.' },
  { path: /^scripts\//, reason: 'Tools for developers have no interface.' },
];

/** Marks a statement in a comment before it: its Chinese text belongs to the language or a format and is not translated. */
const MARKER = /language data: (?!\*\/)\S/i;

/** Finds Chinese in sources: every visible string is in a message catalogue. Comments may quote. */
export const stringCheck: Check = {
  name: 'strings',
  kind: 'count',
  advice:
    'Move the string to a message catalogue. If it is data (numerals, punctuation, names of a format), write "Language data: <reason>" in a comment before the statement.',
  find: (tree) => findStrings(tree),
};

function findStrings(tree: SourceTree): Finding[] {
  return tree.paths
    .filter((path) => isSource(path) && !EXEMPT.some((entry) => entry.path.test(path)))
    .flatMap((path) => {
      const text = tree.read(path);
      return HAN.test(text) ? findInFile(parse(path, text)) : [];
    });
}

function findInFile(file: ts.SourceFile): Finding[] {
  const findings: Finding[] = [];
  const visit = (node: ts.Node): void => {
    if (isMarked(file, node)) return;
    if (isLiteral(node) && HAN.test(node.getText(file))) {
      const shown = node.getText(file).replace(/\s+/g, ' ').slice(0, 40);
      const line = lineAt(file, node.getStart(file));
      findings.push({
        file: file.fileName,
        line,
        key: file.fileName,
        amount: 1,
        message: `Chinese in a source: ${shown}`,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return findings;
}

function isLiteral(node: ts.Node): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isJsxText(node) ||
    ts.isRegularExpressionLiteral(node) ||
    ts.isIdentifier(node)
  );
}

function isMarked(file: ts.SourceFile, node: ts.Node): boolean {
  if (!ts.isStatement(node) && !ts.isPropertyAssignment(node)) return false;
  const comments = ts.getLeadingCommentRanges(file.text, node.pos) ?? [];
  return comments.some(({ pos, end }) => MARKER.test(file.text.slice(pos, end)));
}
