import { createHash } from 'node:crypto';
import { LANGUAGES } from '../../../shared/i18n/languages.ts';
import { BRIDGE_SCRIPT } from './scripts/stage-bridge-script.ts';
import { SCRIPT_PRELUDE, WAIT_SCRIPT } from './scripts/stage-connections-script.ts';
import { INTERVAL_SCRIPT } from './scripts/stage-interval-script.ts';
import { STILL_SCRIPT } from './scripts/stage-still-script.ts';

/** The engine's page as the stage serves it, with the content security policy of exactly this page. */
export interface StagePage {
  html: Buffer;
  contentSecurityPolicy: string;
}

const ENGINE_NUMBERS = JSON.stringify(
  Object.fromEntries(Object.entries(LANGUAGES).map(([locale, { engineNumber }]) => [locale, engineNumber])),
);

/**
 * Sets the player's language where the engine reads it; the number is the engine's. Without one a chooser covers the
 * game.
 */
const LANGUAGE_SCRIPT = `try{localStorage.setItem('lang',${ENGINE_NUMBERS}[new URLSearchParams(location.search).get('lang')]??'0')}catch{}`;

/**
 * Before each of the app's scripts, which a frame inside or a page that the game makes (`blob:`) could run as well: a script of a
 * game that ended there has declared its functions, by whatever name the app calls. No declaration can replace `location`.
 */
const FRAME_GUARD = "if(location.protocol!=='http:')throw'';";

/** The bridge first: it captures its own timers and socket before the engine's. */
const OWN_SCRIPTS: readonly string[] = [BRIDGE_SCRIPT, INTERVAL_SCRIPT, STILL_SCRIPT];

/** Hides the engine's “press to start” cover: the stage starts at once. */
const STYLE = '.html-body__title-enter{display:none!important}';

/**
 * Adds the app's scripts to the engine's page and restricts it: scripts are the page's own (by hash) or files of this
 * server, and the page can exchange data with no other address, whatever a game's files contain. The engine compiles
 * shaders and expressions, hence `unsafe-eval`; its styles are created at run time, hence inline styles. `embedder` is
 * the one origin whose page may show it in a frame; `scripts` replace those of the visible stage: a page with them is never seen, and
 * opens no dialog. The page of an engine that came with the game (`isOwn`) can hold anything: the app's scripts come before all of it,
 * and connections are taken at once. `waits`: an earlier page of this origin took them.
 */
export function createStagePage(
  engineHtml: string,
  {
    origin,
    embedder,
    isOwn,
    waits,
    scripts = OWN_SCRIPTS,
  }: { origin: string; embedder: string; isOwn?: boolean; waits?: boolean; scripts?: readonly string[] },
): StagePage {
  const all = [
    ...[LANGUAGE_SCRIPT, ...scripts].map((script) => FRAME_GUARD + script),
    ...(waits ? [FRAME_GUARD + WAIT_SCRIPT] : []),
    ...(isOwn ? [SCRIPT_PRELUDE] : []),
  ];
  const injected = `${all.map((script) => `<script>${script}</script>`).join('')}<style>${STYLE}</style>`;
  // A document type ends at its first “>”; without one, browsers lay out the page by old rules.
  const start = (isOwn ? /^\uFEFF?\s*(?:<!doctype[^>]*>)?/i : /<head>/i).exec(engineHtml);
  const at = start ? start.index + start[0].length : 0;
  // Allowed is what was rewritten, and not what could be found in the result: a page can be written so that the two differ.
  const { html: rest, texts } = toAllowed(engineHtml.slice(at), isOwn ? SCRIPT_PRELUDE : '');
  const html = engineHtml.slice(0, at) + injected + rest;
  const hashes = [...all, ...texts].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  const socket = origin.replace(/^http/, 'ws');
  return {
    html: Buffer.from(html),
    contentSecurityPolicy: [
      "default-src 'none'",
      `script-src 'self' 'unsafe-eval' ${hashes.join(' ')}`,
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data: blob:",
      "media-src 'self' data: blob:",
      "font-src 'self' data:",
      `connect-src 'self' ${socket} data: blob:`,
      // A service worker could answer for the page without these headers, and no engine needs other workers.
      "worker-src 'none'",
      "frame-src 'none'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      `frame-ancestors ${embedder}`,
      // In a tab of its own: no window that the game opens outlives the page, which holds what the window must not have.
      `sandbox allow-scripts allow-same-origin${scripts === OWN_SCRIPTS ? ' allow-modals allow-downloads' : ''}`,
    ].join('; '),
  };
}

const INLINE_SCRIPT = /<script(?![^>]*\bsrc=)([^>]*)>([\s\S]*?)<\/script>/gi;
const TYPE = /\btype\s*=\s*["']?([^"'\s>]*)/i;
const PROGRAM_TYPE = /^(?:|module|(?:text|application)\/(?:javascript|ecmascript|x-javascript))$/i;
const IMPORT_MAP_PARTS = new Set(['imports', 'scopes', 'integrity']);

/**
 * Puts the prelude before each inline program of a page, and returns the texts that may run: these programs, and the names of modules.
 * An allowed text is allowed in frames inside too, and for every type, so names must not be a program or rules for loading pages in
 * advance.
 */
function toAllowed(page: string, prelude: string): { html: string; texts: string[] } {
  const texts: string[] = [];
  const html = page.replace(INLINE_SCRIPT, (whole: string, attributes: string, text: string) => {
    const type = TYPE.exec(attributes)?.[1] ?? '';
    if (PROGRAM_TYPE.test(type)) {
      texts.push(prelude + text);
      return `<script${attributes}>${prelude}${text}</script>`;
    }
    if (/^importmap$/i.test(type) && isImportMap(text)) texts.push(text);
    return whole;
  });
  return { html, texts };
}

function isImportMap(text: string): boolean {
  try {
    return Object.keys(JSON.parse(text) as object).every((part) => IMPORT_MAP_PARTS.has(part));
  } catch {
    return false;
  }
}
