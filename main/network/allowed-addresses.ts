import { AppError } from '../../shared/errors.ts';
import { refusalText } from '../../shared/i18n/refusals.ts';
import type { LocalText } from '../../shared/model/local-text.ts';
import { toModelReason } from '../../shared/model/model-problem.ts';

/**
 * Which addresses the app may call: every rule of the main process is in this file, one section for each caller.
 * `scripts/checks/network.ts` lists the files that open connections and fails for any other. Outside these rules: the game's own
 * scripts, which are programs that the user starts. The addresses that a user enters are validated in `shared/model` too.
 */

// Models

/** Hosts that are this machine or a private network, where an unencrypted connection does not cross the internet. */
const NEAR =
  /^(localhost|[\w-]+\.(local|lan)|127(\.\d{1,3}){3}|10(\.\d{1,3}){3}|192\.168(\.\d{1,3}){2}|172\.(1[6-9]|2\d|3[01])(\.\d{1,3}){2}|\[::1\]|\[f[cd][0-9a-f:]+\])$/i;

/**
 * Validates an address that a key will be sent to: https anywhere, http only for local hosts, no password in it. Returns
 * it without a slash at the end. Throws `E_BAD_ARGS` with reason `model.address`.
 */
export function toModelAddress(address: string): string {
  const refuse = (why: string): never => {
    throw new AppError('E_BAD_ARGS', `The service address cannot be used: ${why}.`, {
      details: { why },
      hint: 'It begins with https://, such as https://api.example.com/v1.',
      reason: toModelReason('address'),
    });
  };
  const url = URL.parse(address.trim());
  if (!url) return refuse('it is not a web address');
  if (url.username || url.password) return refuse('it holds a user name or password');
  if (url.search || url.hash) return refuse('it holds a query or a fragment');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && NEAR.test(url.hostname))) {
    return refuse('only https is safe for a key outside this machine and its network');
  }
  return url.href.replace(/\/+$/, '');
}

// Other services, which the user connects

/**
 * Validates the address of an MCP server: https anywhere, http only for local hosts, no password in it. Throws `E_BAD_ARGS` with
 * reason `provider.address` and `details.why`.
 */
export function toServiceAddress(address: string): string {
  const url = URL.parse(address.trim());
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && NEAR.test(url.hostname));
  const why =
    url === null
      ? refusalText('address.form')
      : url.username !== '' || url.password !== ''
        ? refusalText('address.user')
        : isSafe
          ? null
          : refusalText('address.safe');
  if (url !== null && why === null) return url.href;
  throw toUnsafe(why);
}

/**
 * Validates an address that a service itself names, such as those of its sign-in. As `toServiceAddress`, but http only where the service is
 * near too: one on the internet has no business with the programs and devices of this network.
 */
export function toNamedAddress(address: string, service: string): string {
  const named = toServiceAddress(address);
  if (named.startsWith('https:') || NEAR.test(new URL(service).hostname)) return named;
  throw toUnsafe(refusalText('address.safe'));
}

function toUnsafe(why: LocalText | null): AppError {
  return new AppError('E_BAD_ARGS', `The service address cannot be used: ${why?.en ?? ''}.`, {
    details: { why },
    reason: 'provider.address',
  });
}

// Previews in other programs, and the assistant's browser

/** Addresses that tools accept and return; part of their published schemas, so narrower than `isLoopbackAddress`. */
export const TOOL_URL = /^https?:\/\/(localhost|127\.0\.0\.1)(:[0-9]+)?(\/.*)?$/;

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);
const LOOPBACK_PROTOCOLS = new Set(['http:', 'https:', 'ws:', 'wss:']);

/**
 * Returns whether an address is one of this machine: a web address whose host, as the browser itself parses it, is one of
 * three names. Other spellings of this machine are not needed; names that merely begin like it, user names before an `@`
 * and other schemes are refused.
 */
export function isLoopbackAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  return LOOPBACK_PROTOCOLS.has(protocol) && LOOPBACK_HOSTS.has(hostname) && username === '' && password === '';
}

/** Throws unless an address is one of this machine. */
export function assertLoopback(address: string): void {
  if (!isLoopbackAddress(address)) throw new Error('The address is not one of this machine.');
}

/** What a page of WebGAL Terre's consists of; the page itself has no path. */
const TERRE_PAGE_FILES = /^(?:|manifest\.json|webgal-engine\.json|(?:assets|game|icons|lib)\/.+)$/;

/**
 * Returns the address of a file of the page that Terre serves for a game of this name; null for every other path: all else at
 * Terre is not the game's, or changes something there. `origin` is Terre's, on this machine.
 */
export function toTerrePageAddress(origin: string, game: string, path: string): string | null {
  const names = path.split('/');
  if (!TERRE_PAGE_FILES.test(path) || (path !== '' && names.includes(''))) return null;
  const address = `${origin}/games/${[game, ...names].map(encodeURIComponent).join('/')}`;
  // Names such as `..` would be resolved, and lead elsewhere.
  return URL.parse(address)?.href === address && isLoopbackAddress(address) ? address : null;
}

/** Returns whether a page creates the resource itself, without a network request. */
export function isOwnMaking(address: string): boolean {
  return /^(data|blob|about):/i.test(address);
}

// Updates

/** The repository of the releases; must equal `publish` in electron-builder.yml. */
export const RELEASES = { owner: 'OpenWebGAL', repo: 'webgal-agent' } as const;

/** The releases page for users. */
export const RELEASE_PAGE = `https://github.com/${RELEASES.owner}/${RELEASES.repo}/releases`;

/** Hosts of the release page's files. */
const RELEASE_HOSTS = /^(?:[\w-]+\.)?github(?:usercontent)?\.com$/;

/** The server that a feed and its files are on; null is the feed of the release page. */
export function toUpdateServer(feed: string | null): URL {
  return new URL(feed ?? 'https://github.com/');
}

/** True for a file on the feed's server. */
export function isOnUpdateServer(file: URL, server: URL): boolean {
  return file.protocol === server.protocol && file.host === server.host;
}

/** True if a response of the feed may redirect to this host. `protocol` ends with a colon. */
export function mayRedirectUpdate(feed: string | null, protocol: string, host: string): boolean {
  if (feed === null) return protocol === 'https:' && RELEASE_HOSTS.test(host);
  const own = new URL(feed);
  return protocol === own.protocol && host === own.hostname;
}

// Links that the system's browser opens

/** Throws `E_POLICY_VIOLATION` unless it is an https link. */
export function assertLink(url: string): void {
  // The contract allows https only; checked again because this is the last step before the system.
  if (!url.startsWith('https://')) throw new AppError('E_POLICY_VIOLATION', 'Only https links are opened.');
}

/**
 * Throws `E_POLICY_VIOLATION` unless it is an address on which a service may sign the user in: https anywhere, http only for local hosts.
 * Whether the service may name it was decided by `toNamedAddress`.
 */
export function assertSignInPage(url: string): void {
  const { protocol, hostname } = URL.parse(url) ?? {};
  if (protocol === 'https:' || (protocol === 'http:' && NEAR.test(hostname ?? ''))) return;
  throw new AppError('E_POLICY_VIOLATION', 'This is no address for signing in.');
}

// The page of the desktop window

/** The server of Chromium's dictionaries, which are downloaded while spell check is on. */
const DICTIONARIES = /^https:\/\/([\w-]+\.)+gvt1\.com\//;
export const DICTIONARY_HOSTS = '*.gvt1.com';

/**
 * Returns a pattern for every URL of a stage of this run. `stageSource` is `http://*.localhost:<port>`; WebSockets of the stage
 * have the same host.
 */
export function toStagePattern(stageSource: string): RegExp {
  return new RegExp(`^(http|ws)://stage-[0-9a-f]+\\.localhost:${toStagePort(stageSource)}/`);
}

export function toStagePort(stageSource: string): string {
  const port = /^http:\/\/\*\.localhost:(\d+)$/.exec(stageSource)?.[1];
  if (port === undefined) throw new Error(`Not a source of stages: ${stageSource}`);
  return port;
}

/** Returns the rule for requests of the page's session: the bundle, the stages of this run and, on demand, dictionaries. */
export function createPageRule(origin: string, stageSource: string) {
  const stage = toStagePattern(stageSource);
  const isOwn = (url: string): boolean =>
    url.startsWith(`${origin}/`) || url.startsWith(`blob:${origin}/`) || /^(data|devtools):/.test(url);
  return (url: string, { hasDictionaries }: { hasDictionaries: boolean }): boolean =>
    isOwn(url) || stage.test(url) || (hasDictionaries && DICTIONARIES.test(url));
}

// The pages of playtests

/** Returns the rule for requests of a playtest's page: the game's own stage. Its socket to the editor is answered in the page. */
export function createPlaytestRule(origin: string): (url: string) => boolean {
  return (url) => url.startsWith(`${origin}/`) || isOwnMaking(url);
}
