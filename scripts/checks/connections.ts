import ts from 'typescript';
import type { Check, Finding } from './allow-list.ts';
import { isSource, lineAt, parse } from './source-tree.ts';

/** The client of the app, and what subscribes to it. */
const CLIENT = 'api';
const SUBSCRIPTION = 'on';
const SUBSCRIBER = 'onConnection';
/** The file that declares both. */
const DECLARATION = 'renderer/api.ts';
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
      .filter((path) => isSource(path) && path.startsWith('renderer/') && path !== DECLARATION)
      .map((path) => parse(path, tree.read(path)));
    const subscribing = new Set<string>();
    const outside = files.flatMap((file) => findSubscriptions(file, subscribing));
    const users = files.filter(({ fileName }) => fileName !== ROOT);
    return [...outside, ...users.flatMap((file) => findUses(file, subscribing))];
  },
};

/** Returns the subscriptions outside connect functions, and adds the connect functions with subscriptions to `subscribing`. */
function findSubscriptions(file: ts.SourceFile, subscribing: Set<string>): Finding[] {
  const findings: Finding[] = [];
  eachValue(file, (name, owner) => {
    const subscription = toSubscription(name);
    if (subscription === null) return;
    if (owner !== null && CONNECT.test(owner)) subscribing.add(owner);
    else findings.push(toFinding(file, name, `${subscription} outside a connect function`));
  });
  return findings;
}

/** Returns what a name subscribes with; null: it does not, as in `api.call(…)`. */
function toSubscription(name: ts.Identifier): string | null {
  if (name.text === SUBSCRIBER) return SUBSCRIBER;
  if (name.text !== CLIENT) return null;
  const { parent } = name;
  if (ts.isPropertyAccessExpression(parent)) {
    return parent.name.text === SUBSCRIPTION ? `${CLIENT}.${SUBSCRIPTION}` : null;
  }
  // Under another name or by a computed member it could subscribe unseen.
  return `${CLIENT} under another name`;
}

function findUses(file: ts.SourceFile, subscribing: ReadonlySet<string>): Finding[] {
  const findings: Finding[] = [];
  eachValue(file, (name) => {
    if (subscribing.has(name.text)) findings.push(toFinding(file, name, `${name.text} outside ${ROOT}`));
  });
  return findings;
}

/** Visits the names of a file that are values, with the name of the outermost function declaration around them; null: none. */
function eachValue(file: ts.SourceFile, visit: (name: ts.Identifier, owner: string | null) => void): void {
  const walk = (node: ts.Node, owner: string | null): void => {
    if (ts.isIdentifier(node) && isValue(node)) visit(node, owner);
    const name = owner ?? (ts.isFunctionDeclaration(node) ? (node.name?.text ?? null) : null);
    ts.forEachChild(node, (child) => walk(child, name));
  };
  walk(file, null);
}

/** False for a name that is declared, imported or the member of an object. */
function isValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isImportSpecifier(parent)) return parent.propertyName !== undefined && parent.propertyName === node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name !== node;
  if (ts.isPropertyAssignment(parent)) return parent.name !== node;
  return (
    !(ts.isFunctionDeclaration(parent) || ts.isParameter(parent) || ts.isVariableDeclaration(parent)) ||
    parent.name !== node
  );
}

function toFinding(file: ts.SourceFile, node: ts.Node, message: string): Finding {
  const line = lineAt(file, node.getStart(file));
  return { file: file.fileName, line, key: file.fileName, amount: 1, message };
}
