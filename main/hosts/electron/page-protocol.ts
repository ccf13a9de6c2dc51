import { protocol, type Session } from 'electron';
import type { PageFiles } from '../page/page-files.ts';
import { toPageHeaders } from '../page/page-headers.ts';

const SCHEME = 'app';
const HOST = 'webgal-agent';
export const PAGE_ORIGIN = `${SCHEME}://${HOST}`;
export const PAGE_URL = `${PAGE_ORIGIN}/`;
/** The same page as the stage's own window (`renderer/state/stage/stage-window-state.ts`). */
export const STAGE_WINDOW_URL = `${PAGE_URL}?window=stage`;

/** Returns whether a URL is the app's page, and not that of the stage's window. */
export function isAppPage(url: string): boolean {
  return url === PAGE_URL || url.startsWith(`${PAGE_URL}#`);
}

/** Registers `app://` as a standard web origin. Must run before Electron is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    // The code cache stores V8's compiled code of the page by the hash of its source.
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** Serves the bundle, and no other file, at `app://webgal-agent/`. */
export function servePageProtocol(session: Session, files: PageFiles, stageSource: string): void {
  const headers = toPageHeaders(stageSource);
  session.protocol.handle(SCHEME, async (request) => {
    const url = new URL(request.url);
    const isAsked = url.host === HOST && (request.method === 'GET' || request.method === 'HEAD');
    const file = isAsked ? await files.read(url.pathname) : null;
    if (!file) return new Response('Not found.', { status: 404, headers });
    return new Response(file.body, { headers: { ...headers, 'content-type': file.type } });
  });
}
