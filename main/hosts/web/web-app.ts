import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { AppError, type Reply, toErrorData } from '../../../shared/errors.ts';
import { LAUNCH_PATH } from '../../../shared/wire.ts';
import type { App } from '../../core/app.ts';
import type { PageFiles } from '../page/page-files.ts';
import type { EventStreams } from './event-streams.ts';
import type { LaunchGate } from './launch-gate.ts';

/** The longest text of the contract has 20 million UTF-16 units; as JSON in UTF-8 it can be three times as long. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

interface WebAppPorts {
  app: App;
  files: PageFiles;
  gate: LaunchGate;
  /** `127.0.0.1:<port>`, the only accepted `Host`, which prevents DNS rebinding. */
  host: string;
  /** Sent with every response. */
  headers: Readonly<Record<string, string>>;
  streams: EventStreams;
}

/**
 * Creates the HTTP routes `POST /launch`, `POST /call/<method>`, `POST /events` and the page. The page's files contain no secret
 * and need no session; every other request needs the page's origin and the session.
 */
export function createWebApp({ app, files, gate, host, headers, streams }: WebAppPorts): Hono {
  const origin = `http://${host}`;
  const web = new Hono();

  web.onError((error, context) => {
    // A program that hung up while it sent: it does not read the answer, and the terminal belongs to the user.
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') return context.body(null, 400);
    throw error;
  });

  web.use(async (context, next) => {
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    if (context.req.header('host') !== host) return context.text('Wrong host.', 403);
    return next();
  });

  web.get('*', async (context) => {
    const file = await files.read(new URL(context.req.url).pathname);
    if (!file) return context.text('Not found.', 404);
    context.header('cache-control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
    context.header('content-type', file.type);
    return context.body(file.body);
  });

  // The stage's frame is on this computer too, so the origin is checked; browsers send it with every POST.
  web.use(async (context, next) => (context.req.header('origin') === origin ? next() : context.json(refusal(), 403)));

  web.post(LAUNCH_PATH, bodyLimit({ maxSize: 1024 }), async (context) => {
    const [token = '', mark = ''] = (await context.req.text()).split('.');
    const session = gate.redeem({ token, mark });
    return session === null ? context.json(refusal(), 401) : context.json({ session });
  });

  web.use(async (context, next) =>
    gate.isAdmitted(context.req.header('authorization')) ? next() : context.json(refusal(), 401),
  );

  web.post(
    '/call/:method',
    bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (context) => context.json(tooLarge(), 413) }),
    async (context) => {
      if (!context.req.header('content-type')?.startsWith('application/json')) return context.json(badBody(), 415);
      let input: unknown;
      try {
        input = await context.req.json();
      } catch {
        // Not JSON; reported in the reply.
        return context.json(badBody(), 400);
      }
      return context.json(await app.call(context.req.param('method'), input));
    },
  );

  web.post('/events', (context) => {
    context.header('content-type', 'application/x-ndjson; charset=utf-8');
    context.header('cache-control', 'no-store');
    return context.body(streams.open());
  });

  return web;
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
