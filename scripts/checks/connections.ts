import ts from 'typescript';
import type { Check, Finding } from './allow-list.ts';
import { isSource, lineAt, parse } from './source-tree.ts';

/** What subscribes to the app. */
const SUBSCRIPTIONS = new Set(['api.on', 'onConnection']);
const CONNECT = /^connect[A-Z]/;
/** The one caller of the functions that subscribe. */
const ROOT = 'renderer/connect.ts';

/** Finds subscriptions of the page to the app that are not made once, by `renderer/connect.ts`. */
export const connectionCheck: Check = {
  name: 'connections',
  kind: 'count',
  advice: `Subscribe in an exported function connect… of a store, and call it in ${ROOT} only; components read the store.`,
  find(tree) {
    const files = tree.paths
      .filter((path) => isSource(path) && path.startsWith('renderer/'))
      .map((path) => parse(path, tree.read(path)));
    const subscribing = new Set<string>();
    const outside = files.flatMap((file) => findSubscriptions(file, subscribing));
    const callers = files.filter(({ fileName }) => fileName !== ROOT);
    return [...outside, ...callers.flatMap((file) => findCalls(file, subscribing))];
  },
};

/** Returns the subscriptions outside connect functions, and adds the connect functions with subscriptions to `subscribing`. */
function findSubscriptions(file: ts.SourceFile, subscribing: Set<string>): Finding[] {
  const findings: Finding[] = [];
  eachCall(file, (call, owner) => {
    const callee = call.expression.getText(file);
    if (!SUBSCRIPTIONS.has(callee)) return;
    if (owner !== null && CONNECT.test(owner)) subscribing.add(owner);
    else findings.push(toFinding(file, call, `${callee}() outside a connect function`));
  });
  return findings;
}

function findCalls(file: ts.SourceFile, subscribing: ReadonlySet<string>): Finding[] {
  const findings: Finding[] = [];
  eachCall(file, (call) => {
    const callee = call.expression.getText(file);
    if (subscribing.has(callee)) findings.push(toFinding(file, call, `${callee}() outside ${ROOT}`));
  });
  return findings;
}

/** Visits the calls of a file with the name of the outermost function declaration around them; null: none. */
function eachCall(file: ts.SourceFile, visit: (call: ts.CallExpression, owner: string | null) => void): void {
  const walk = (node: ts.Node, owner: string | null): void => {
    if (ts.isCallExpression(node)) visit(node, owner);
    const name = owner ?? (ts.isFunctionDeclaration(node) ? (node.name?.text ?? null) : null);
    ts.forEachChild(node, (child) => walk(child, name));
  };
  walk(file, null);
}

function toFinding(file: ts.SourceFile, node: ts.Node, message: string): Finding {
  const line = lineAt(file, node.getStart(file));
  return { file: file.fileName, line, key: file.fileName, amount: 1, message };
}
