import { protocol, type Session } from 'electron';
import type { PageFiles } from '../page/page-files.ts';
import { toPageHeaders } from '../page/page-headers.ts';

const SCHEME = 'app';
const HOST = 'webgal-agent';
export const PAGE_ORIGIN = `${SCHEME}://${HOST}`;
export const PAGE_URL = `${PAGE_ORIGIN}/`;

/** Makes `app://` a web origin like any other. Has to happen before Electron is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    // The code cache keeps what V8 has compiled of the page, by the hash of its text.
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** Serves the bundle, and nothing but the bundle, at `app://webgal-agent/`. */
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
