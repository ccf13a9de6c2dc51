import { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import { refusalText } from '../../../shared/i18n/refusals.ts';
import { OWN_PROVIDER } from '../../../shared/model/capability/namespace.ts';
import { McpServer } from '../../../shared/model/external/mcp-server.ts';
import { LocalText } from '../../../shared/model/local-text.ts';

/** Most characters of a pasted text, and most servers in it. */
const MAX_PASTED = 64 * 1024;
const MAX_SERVERS = 32;

/** Variables that make a program load or run something else than its command says. */
const LOADERS =
  /^(?:PATH|LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|ELECTRON_RUN_AS_NODE|BASH_ENV|ENV|SHELLOPTS|PYTHON(?:STARTUP|PATH|HOME)|PERL5.*|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|GIT_.*|SSH_.*|COMSPEC|PATHEXT)$/i;

const values = z.record(z.string().max(100), z.string().max(4000));
/** Keys of other apps that have no meaning here. What they would allow is not allowed. */
const unused = z.unknown().optional();
const ignored = {
  ...{ disabled: unused, description: unused, autoApprove: unused, alwaysAllow: unused },
  ...{ timeout: unused, gallery: unused, version: unused, trust: unused },
};
const Entry = z.union([
  z.strictObject({
    type: z.literal('stdio').optional(),
    command: z.string(),
    args: z.array(z.string()).optional(),
    env: values.optional(),
    ...ignored,
  }),
  z.strictObject({
    type: z.enum(['http', 'streamable-http', 'streamableHttp']).optional(),
    url: z.string(),
    headers: values.optional(),
    ...ignored,
  }),
]);
const Block = z.union([
  z.strictObject({ mcpServers: z.record(z.string(), z.unknown()) }),
  z.strictObject({ servers: z.record(z.string(), z.unknown()) }).transform(({ servers }) => ({ mcpServers: servers })),
]);

/** A server as it was entered. `secrets`: the values of its variables or headers. */
export interface EnteredServer {
  server: McpServer;
  secrets: Record<string, string>;
}

export interface ReadServers {
  servers: EnteredServer[];
  refused: { name: string; why: LocalText }[];
}

/**
 * Reads what the user entered: a block `{"mcpServers": {…}}`, an address or a command. Nothing is started. `toAddress` checks an address
 * and throws. Throws `E_BAD_ARGS` with reason `provider.badBlock` if it is none of them.
 */
export function readServers(text: string, toAddress: (address: string) => string): ReadServers {
  const entered = text.trim();
  if (entered === '' || entered.length > MAX_PASTED) throw badBlock(refusalText('block.empty'));
  const refused: ReadServers['refused'] = [];
  const servers: EnteredServer[] = [];
  for (const [name, entry] of toEntries(entered)) {
    try {
      servers.push(toServer(name, entry, toAddress));
    } catch (error) {
      refused.push({ name: name.slice(0, 60), why: toWhy(error) });
    }
  }
  return { servers, refused };
}

function toEntries(text: string): [string, unknown][] {
  if (text.startsWith('{')) {
    const block = Block.safeParse(parseJson(text));
    if (!block.success) throw badBlock(refusalText('block.noServers'));
    const entries = Object.entries(block.data.mcpServers);
    if (entries.length === 0 || entries.length > MAX_SERVERS)
      throw badBlock(refusalText('block.count', { most: MAX_SERVERS }));
    return entries;
  }
  // Any address, so that one that is none of a service says why; one letter is a drive.
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) return [[URL.parse(text)?.hostname || 'server', { url: text }]];
  if (text.includes('\n')) throw badBlock(refusalText('block.line'));
  const [command = '', ...args] = splitCommand(text);
  // The name of the package or the program: the last word that is neither an option nor a path.
  const words = [command, ...args].filter((word) => !word.startsWith('-'));
  const named = words.find((word) => /server|mcp/i.test(word)) ?? command;
  return [[named.split(/[\\/]/).at(-1) ?? named, { command, args }]];
}

function toServer(name: string, entry: unknown, toAddress: (address: string) => string): EnteredServer {
  const parsed = Entry.safeParse(entry);
  if (!parsed.success) throw badBlock(refusalText('block.entry'));
  const { data } = parsed;
  const id = toId(name);
  if (id === '') throw badBlock(refusalText('offer.noLetters'));
  if (id === OWN_PROVIDER) throw badBlock(refusalText('offer.ownName'));
  const secrets = ('url' in data ? data.headers : data.env) ?? {};
  const names = Object.keys(secrets);
  const loader = 'url' in data ? undefined : names.find((each) => LOADERS.test(each));
  if (loader !== undefined) throw badBlock(refusalText('block.loader', { name: loader }));
  const transport =
    'url' in data
      ? { type: 'http', url: toAddress(data.url), headers: names }
      : { type: 'stdio', command: data.command, args: data.args ?? [], env: names };
  const server = McpServer.safeParse({ id, name: name.slice(0, 60), transport, enabled: true, agreed: null });
  if (!server.success) throw badBlock(refusalText('block.invalid'));
  return { server: server.data, secrets };
}

/** Returns the name as an id of a provider: lower-case words divided by dashes. One in another script is a service without a name of its own. */
function toId(name: string): string {
  const words = name
    .slice(0, 200)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const id = words.join('-').slice(0, 24).replace(/-$/, '');
  if (/^[a-z]/.test(id)) return id;
  if (id !== '') return `s-${id}`.slice(0, 24);
  return /\p{L}/u.test(name) ? 'service' : '';
}

/** Divides a command at spaces outside of quotes. */
function splitCommand(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badBlock(refusalText('block.json'));
  }
}

function toWhy(error: unknown): LocalText {
  const said = error instanceof AppError ? LocalText.safeParse(error.details?.why) : null;
  return said?.success ? said.data : refusalText('block.invalid');
}

function badBlock(why: LocalText): AppError {
  return new AppError('E_BAD_ARGS', `This names no service that could be connected: ${why.en}.`, {
    details: { why },
    reason: 'provider.badBlock',
  });
}
