import ts from 'typescript';
import type { Check, Finding } from './allow-list.ts';
import { isSource, isTest, isTypeScript, lineAt, parse } from './source-tree.ts';

const MAX_LINES = 80;
/** No reason allows more. */
const MAX_LINES_WITH_REASON = 150;

/** Finds long functions, those of test helpers included. The length includes nested functions. */
export const functionLengthCheck: Check = {
  name: 'function-length',
  kind: 'size',
  max: MAX_LINES_WITH_REASON,
  advice: `Split the function. Over ${MAX_LINES} lines needs an entry with a reason, over ${MAX_LINES_WITH_REASON} is never right.`,
  find: (tree) =>
    tree.paths
      .filter((path) => isSource(path) || (isTypeScript(path) && path.startsWith('tests/') && !isTest(path)))
      .flatMap((path) => findLong(parse(path, tree.read(path)))),
};

function findLong(file: ts.SourceFile): Finding[] {
  const findings: Finding[] = [];
  const used = new Map<string, number>();
  const visit = (node: ts.Node, owner: string): void => {
    const name = isFunction(node) ? toName(node, file, owner) : owner;
    if (isFunction(node)) {
      const line = lineAt(file, node.getStart(file));
      const lines = lineAt(file, node.getEnd()) - line + 1;
      if (lines > MAX_LINES) {
        const nth = (used.get(name) ?? 0) + 1;
        used.set(name, nth);
        const key = `${file.fileName}#${name}${nth > 1 ? `-${nth}` : ''}`;
        findings.push({ file: file.fileName, line, key, amount: lines, message: `${name} has ${lines} lines` });
      }
    }
    ts.forEachChild(node, (child) => visit(child, name));
  };
  visit(file, 'module');
  return findings;
}

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

/** Returns the function's name, the name of the variable or property it is assigned to, or that of the enclosing function. */
function toName(node: ts.FunctionLikeDeclaration, file: ts.SourceFile, owner: string): string {
  if (node.name) return node.name.getText(file);
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText(file);
  return `${owner}/callback`;
}
