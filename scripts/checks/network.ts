import ts from 'typescript';
import type { Check, Finding } from './allow-list.ts';
import { isSource, lineAt, parse, type SourceTree } from './source-tree.ts';

/**
 * The files that open connections or filter them, and what each uses for it. The addresses are decided in
 * `main/network/allowed-addresses.ts`. The check finds what is written by mistake; code that hides a name on purpose is left to review.
 */
export const PERFORMERS: Record<string, { uses: string[]; reason: string }> = {
  'main/network/requests.ts': {
    uses: ['fetch'],
    reason: 'Models, connected services, and WebGAL Terre and other windows on this machine.',
  },
  'main/network/sockets.ts': {
    uses: ['ws', 'WebSocket'],
    reason: 'WebGAL Terre on this machine.',
  },
  'main/hosts/electron/open-app.ts': { uses: ['net'], reason: 'Passes the system’s proxy and certificates to models.' },
  'main/node/providers/mcp/mcp-connection.ts': {
    uses: ['@modelcontextprotocol/sdk/client'],
    reason: 'A client of the services that the user connected; programs, or addresses of mcp-servers.ts.',
  },
  'main/node/providers/mcp/http-transport.ts': {
    uses: ['@modelcontextprotocol/sdk/client'],
    reason: 'Is given the fetch of main/network/requests.ts.',
  },
  'main/node/providers/mcp/mcp-servers.ts': {
    uses: ['@modelcontextprotocol/sdk/client'],
    reason: 'Knows the errors of a service that wants a sign-in.',
  },
  'main/node/providers/mcp/sign-in.ts': {
    uses: ['@modelcontextprotocol/sdk/client'],
    reason: 'Signs in to such a service with the fetch of main/network/requests.ts.',
  },
  'main/node/models/language-model.ts': {
    uses: ['@ai-sdk', 'ai'],
    reason: 'Is given the fetch of main/network/requests.ts.',
  },
  'main/node/models/stream-step.ts': { uses: ['ai'], reason: 'Calls a model that language-model.ts created.' },
  'main/node/models/classify-error.ts': { uses: ['ai'], reason: 'Reads the errors of the library.' },
  'main/node/browser/browser-session.ts': {
    uses: ['playwright-core'],
    reason: 'The assistant’s browser: loopback only.',
  },
  'main/hosts/electron/updates/open-updater.ts': { uses: ['electron-updater'], reason: 'Updates of the app.' },
  'main/hosts/electron/electron-host.ts': { uses: ['openExternal'], reason: 'Opens links in the system’s browser.' },
  'main/hosts/web/web-host.ts': { uses: ['open'], reason: 'Opens links in the system’s browser.' },
  'main/hosts/electron/window/create-window.ts': { uses: ['loadURL'], reason: 'Loads the bundled page.' },
  'main/hosts/electron/window/hidden-engine-pages.ts': {
    uses: ['loadURL', 'setProxy', 'webRequest'],
    reason: 'Loads the stage of a playtest and filters its requests.',
  },
  'main/hosts/electron/window/isolate-network.ts': {
    uses: ['setProxy', 'webRequest'],
    reason: 'Filters the requests of the page’s session.',
  },
  'renderer/api.ts': { uses: ['a computed name'], reason: 'Reads the bridge of the preload script.' },
  'renderer/web-wire.ts': { uses: ['fetch'], reason: 'The page in a browser calls the app it was loaded from.' },
};

/** Global names whose value opens a connection. */
const GLOBALS = new Set([
  ...['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'RTCPeerConnection', 'WebTransport'],
  ...['importScripts'],
]);
/** Members of Electron and of a global object that open connections or change who may. */
const MEMBERS = new Set(['openExternal', 'loadURL', 'setProxy', 'webRequest', 'downloadURL', 'sendBeacon']);
const COMPUTED = 'a computed name';
const GLOBAL_OBJECTS = new Set(['globalThis', 'global', 'window', 'self', 'net', 'session']);
/** Packages and modules that connect, with the exports that do not: servers. */
const MODULES: Record<string, string[]> = {
  ...{ 'node:http': ['createServer'], 'node:https': ['createServer'], 'node:net': ['createServer'] },
  ...{ 'node:http2': [], 'node:tls': [], 'node:dgram': [], 'node:dns': [] },
  ...{ ws: ['WebSocketServer'], 'electron-updater': [], 'playwright-core': [], ai: [], open: [] },
  ...{ undici: [], axios: [], got: [], 'node-fetch': [], playwright: [], '@modelcontextprotocol/sdk/client': [] },
};

/** Finds code that opens connections outside the listed files, and entries of the list that are no longer true. */
export const networkCheck: Check = {
  name: 'network',
  kind: 'count',
  advice:
    'Call main/network/requests.ts or sockets.ts. A new kind of connection: its rule in main/network/allowed-addresses.ts, its file in PERFORMERS of scripts/checks/network.ts with the reason.',
  find: (tree) => findConnections(tree),
};

function findConnections(tree: SourceTree): Finding[] {
  const files = tree.paths.filter((path) => isSource(path) && /^(main|preload|renderer|shared)\//.test(path));
  return files.flatMap((path) => {
    const allowed = PERFORMERS[path]?.uses ?? [];
    const found = findInFile(parse(path, tree.read(path)));
    const unused = allowed.filter((use) => !found.some((each) => each.use === use));
    return [
      ...found.filter(({ use }) => !allowed.includes(use)).map(({ use, line }) => toFinding(path, line, use)),
      ...unused.map((use) => ({
        ...toFinding(path, 1, use),
        message: `no longer uses ${use}: remove it from PERFORMERS`,
      })),
    ];
  });
}

function toFinding(file: string, line: number, use: string): Finding {
  return { file, line, key: file, amount: 1, message: `opens connections with ${use}` };
}

function findInFile(file: ts.SourceFile): { use: string; line: number }[] {
  const found: { use: string; line: number }[] = [];
  const visit = (node: ts.Node): void => {
    const use = toUse(node);
    if (use !== null) found.push({ use, line: lineAt(file, node.getStart(file)) });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function toUse(node: ts.Node): string | null {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return toImportUse(node);
  if (ts.isCallExpression(node)) return toLoadUse(node);
  if (ts.isElementAccessExpression(node)) return toElementUse(node);
  if (ts.isBindingElement(node)) return toBindingUse(node);
  if (ts.isVariableDeclaration(node)) return toAliasUse(node);
  if (!ts.isIdentifier(node)) return null;
  if (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) return toMemberUse(node.parent);
  return GLOBALS.has(node.text) && isValue(node) ? node.text : null;
}

/** Modules that are loaded by a call: `import(…)`, `require(…)`, `process.getBuiltinModule(…)`. */
function toLoadUse({ expression, arguments: [specifier] }: ts.CallExpression): string | null {
  const loads =
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(expression) && expression.text === 'require') ||
    (ts.isPropertyAccessExpression(expression) && expression.name.text === 'getBuiltinModule');
  if (!loads || !specifier) return null;
  return ts.isStringLiteralLike(specifier) ? (toModule(specifier.text)?.name ?? null) : COMPUTED;
}

/** `globalThis['fetch']`, and a name of a global object that is computed. */
function toElementUse({ expression, argumentExpression: name }: ts.ElementAccessExpression): string | null {
  if (ts.isStringLiteralLike(name) && MEMBERS.has(name.text)) return name.text;
  if (!isGlobalObject(expression)) return null;
  if (!ts.isStringLiteralLike(name)) return COMPUTED;
  return GLOBALS.has(name.text) ? name.text : null;
}

/** `const { fetch: send } = globalThis`. */
function toBindingUse({ propertyName, parent }: ts.BindingElement): string | null {
  const source = ts.isVariableDeclaration(parent.parent) ? parent.parent.initializer : undefined;
  if (!propertyName || !source || !isGlobalObject(source)) return null;
  return ts.isIdentifier(propertyName) && GLOBALS.has(propertyName.text) ? propertyName.text : null;
}

function isGlobalObject(node: ts.Expression): boolean {
  return toGlobalObject(node) !== null;
}

/** Returns the name of a global object, also where it is asserted to have another type. */
function toGlobalObject(node: ts.Expression): string | null {
  if (ts.isAsExpression(node) || ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node)) {
    return toGlobalObject(node.expression);
  }
  return ts.isIdentifier(node) && GLOBAL_OBJECTS.has(node.text) ? node.text : null;
}

/** `const g = globalThis`: under another name its members would not be seen. */
function toAliasUse({ name, initializer }: ts.VariableDeclaration): string | null {
  const object = ts.isIdentifier(name) && initializer ? toGlobalObject(initializer) : null;
  return object === 'globalThis' || object === 'global' ? COMPUTED : null;
}

function toMemberUse({ expression, name }: ts.PropertyAccessExpression): string | null {
  if (MEMBERS.has(name.text)) return name.text;
  const object = toGlobalObject(expression);
  if (object === 'net') return object;
  return object !== null && GLOBALS.has(name.text) ? name.text : null;
}

function toImportUse(node: ts.ImportDeclaration | ts.ExportDeclaration): string | null {
  if (!node.moduleSpecifier || !ts.isStringLiteral(node.moduleSpecifier)) return null;
  const module = toModule(node.moduleSpecifier.text);
  if (module === null || isTypeOnly(node)) return null;
  const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
  const hasDefault = ts.isImportDeclaration(node) && node.importClause?.name !== undefined;
  if (hasDefault || !bindings || !(ts.isNamedImports(bindings) || ts.isNamedExports(bindings))) return module.name;
  const isServer = [...bindings.elements].every(
    ({ isTypeOnly: isType, name, propertyName }) => isType || module.servers.includes((propertyName ?? name).text),
  );
  return isServer ? null : module.name;
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  return node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
}

/** Returns the listed module that a specifier is of, also by a path inside it or without `node:`. */
function toModule(specifier: string): { name: string; servers: string[] } | null {
  if (specifier.startsWith('@ai-sdk/')) return { name: '@ai-sdk', servers: [] };
  for (const [name, servers] of Object.entries(MODULES)) {
    const isIt = specifier === name || specifier.startsWith(`${name}/`) || `node:${specifier}` === name;
    if (isIt) return { name, servers };
  }
  return null;
}

/** False where a name is a property, a type or the name of a parameter of a type. */
function isValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isTypeQueryNode(parent) || ts.isTypeReferenceNode(parent) || ts.isQualifiedName(parent)) return false;
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return false;
  if (ts.isBindingElement(parent)) return parent.propertyName !== node;
  const isNamed = ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isPropertyDeclaration(parent);
  if (isNamed || ts.isMethodDeclaration(parent) || ts.isMethodSignature(parent)) return parent.name !== node;
  return true;
}
