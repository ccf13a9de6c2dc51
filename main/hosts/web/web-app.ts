import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { AppError, type Reply, toErrorData } from '../../../shared/errors.ts';
import type { App } from '../../core/app.ts';
import type { PageFiles } from '../page/page-files.ts';
import { PAGE_HEADERS } from '../page/page-headers.ts';
import type { EventStreams } from './event-streams.ts';
import type { LaunchGate } from './launch-gate.ts';
import { REFUSAL_PAGE } from './refusal-page.ts';

/** The longest text the contract takes is 20 million units; as JSON in UTF-8 it can triple. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

interface WebAppPorts {
  app: App;
  files: PageFiles;
  gate: LaunchGate;
  /** `127.0.0.1:<port>`: the one name this host answers to, so that no other name can be pointed at it. */
  host: string;
  streams: EventStreams;
}

/** The app over HTTP: `POST /call/<method>`, `GET /events`, and the page. Everything is refused that is not for certain our own page. */
export function createWebApp({ app, files, gate, host, streams }: WebAppPorts): Hono {
  const origin = `http://${host}`;
  const web = new Hono();

  web.use(async (context, next) => {
    for (const [name, value] of Object.entries(PAGE_HEADERS)) context.header(name, value);
    if (context.req.header('host') !== host) return context.text('Wrong host.', 403);
    return next();
  });

  web.get('/', async (context) => {
    const launch = context.req.query('launch');
    const cookie = launch === undefined ? null : gate.redeem(launch);
    if (cookie !== null) context.header('set-cookie', cookie);
    // The token leaves the address bar at once, so that a reload or a bookmark does not hold a used one.
    if (cookie !== null || (launch !== undefined && gate.isAdmitted(context.req.header('cookie')))) {
      return context.redirect('/', 303);
    }
    if (!gate.isAdmitted(context.req.header('cookie'))) return refuse();
    return servePage('/');
  });

  web.use(async (context, next) => {
    if (!gate.isAdmitted(context.req.header('cookie'))) {
      return context.req.method === 'GET' && !isEventStream(context.req.raw) ? refuse() : context.json(refusal(), 401);
    }
    // The stage's frame is on this computer too, and the browser sends it along with our cookie: only the origin tells.
    const isOurs = isSameOrigin(context.req.raw, origin);
    return isOurs ? next() : context.json(refusal(), 403);
  });

  web.post(
    '/call/:method',
    bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (context) => context.json(tooLarge(), 413) }),
    async (context) => {
      if (!context.req.header('content-type')?.startsWith('application/json')) return context.json(badBody(), 415);
      let input: unknown;
      try {
        input = await context.req.json();
      } catch {
        // Not JSON: said in the reply.
        return context.json(badBody(), 400);
      }
      return context.json(await app.call(context.req.param('method'), input));
    },
  );

  web.get('/events', (context) => {
    context.header('content-type', 'text/event-stream; charset=utf-8');
    context.header('cache-control', 'no-store');
    return context.body(streams.open());
  });

  web.get('*', (context) => servePage(new URL(context.req.url).pathname));

  async function servePage(path: string): Promise<Response> {
    const file = await files.read(path);
    if (!file) return new Response('Not found.', { status: 404, headers: PAGE_HEADERS });
    const cache = file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache';
    return new Response(file.body, { headers: { ...PAGE_HEADERS, 'content-type': file.type, 'cache-control': cache } });
  }

  return web;
}

function refuse(): Response {
  const headers = { ...PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(REFUSAL_PAGE, { status: 401, headers });
}

/** Browsers say where a request comes from in `Origin`, or in `Sec-Fetch-Site` where they leave that out; a call needs the former. */
function isSameOrigin(request: Request, origin: string): boolean {
  const from = request.headers.get('origin');
  if (from !== null) return from === origin;
  if (request.method !== 'GET') return false;
  const site = request.headers.get('sec-fetch-site');
  return site === null || site === 'same-origin' || (site === 'none' && !isEventStream(request));
}

function isEventStream(request: Request): boolean {
  return new URL(request.url).pathname === '/events';
}

function refusal(): Reply<never> {
  const error = new AppError('E_POLICY_VIOLATION', 'This page is not connected to the app.', {
    reason: 'app.notConnected',
    hint: 'Open the app from the link it shows when it starts.',
  });
  return { ok: false, error: toErrorData(error) };
}

function tooLarge(): Reply<never> {
  const error = new AppError('E_TOO_LARGE', 'The request is too large.', { details: { maxBytes: MAX_BODY_BYTES } });
  return { ok: false, error: toErrorData(error) };
}

function badBody(): Reply<never> {
  return { ok: false, error: toErrorData(new AppError('E_BAD_ARGS', 'The body of a call must be JSON.')) };
}
