import { createHash } from 'node:crypto';
import { BRIDGE_SCRIPT } from './stage-bridge-script.ts';
import { INTERVAL_SCRIPT } from './stage-interval-script.ts';

/** The engine's page as the stage serves it, with the policy that goes with exactly this page. */
export interface StagePage {
  html: Buffer;
  contentSecurityPolicy: string;
}

/** Where the engine looks up the player's language; the number is its own. Without one a chooser covers the game. */
const LANGUAGE_SCRIPT = `try{localStorage.setItem('lang',new URLSearchParams(location.search).get('lang')==='en'?'1':'0')}catch{}`;

/** The engine's “press to start” cover: the stage starts at once. */
const STYLE = '.html-body__title-enter{display:none!important}';

/**
 * Puts our part into the engine's page and seals it: scripts are the page's own (by hash) or files of this server, and
 * nothing can be fetched from or sent to any other place, whatever a game's files say. The engine compiles shaders and
 * expressions, hence `unsafe-eval`; its styles are made as it runs, hence inline styles. `embedder` is the one origin whose
 * page may show it in a frame.
 */
export function createStagePage(
  engineHtml: string,
  { origin, embedder }: { origin: string; embedder: string },
): StagePage {
  // The bridge first: its own timers and socket are none of the engine's.
  const scripts = [LANGUAGE_SCRIPT, BRIDGE_SCRIPT, INTERVAL_SCRIPT];
  const injected = `${scripts.map((script) => `<script>${script}</script>`).join('')}<style>${STYLE}</style>`;
  const html = engineHtml.replace(/<head>/i, (head) => head + injected);
  const hashes = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/gi)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
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
      // A service worker could answer the page without these headers, and no engine needs a worker of another kind.
      "worker-src 'none'",
      "frame-src 'none'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      `frame-ancestors ${embedder}`,
    ].join('; '),
  };
}
