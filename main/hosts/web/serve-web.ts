import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { AppError } from '../../../shared/errors.ts';
import type { App } from '../../core/app.ts';
import { createPageFiles } from '../page/page-files.ts';
import { toPageHeaders } from '../page/page-headers.ts';
import { createEventStreams, type EventStreams } from './event-streams.ts';
import { createLaunchGate } from './launch-gate.ts';
import { createWebApp } from './web-app.ts';

const LOOPBACK = '127.0.0.1';
const CLOSE_TIMEOUT_MS = 2_000;
/** Other programs on 127.0.0.1 can fill the browser's cookie jar for the host; that must not block the page. */
const MAX_HEADER_BYTES = 1024 * 1024;

export interface WebHost {
  /** The launch link, which opens the app in a browser once. */
  url: string;
  origin: string;
  port: number;
  /** Stops listening, ends the event streams and waits briefly for running calls. Does not dispose of the app. */
  close(): Promise<void>;
}

/**
 * Serves the app to a browser on this computer. `port` 0 selects a free port. Throws `E_IO` with reason `host.portTaken` when
 * the port cannot be used.
 */
export async function serveWeb(
  app: App,
  options: {
    port: number;
    pageFolder: string;
    /** Matches the stages of this run (`Stages.source`). */
    stageSource: string;
  },
): Promise<WebHost> {
  const files = await createPageFiles(options.pageFolder);
  const streams = createEventStreams(app);
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES });
  const port = await listen(server, options.port);
  const gate = createLaunchGate();
  const host = `${LOOPBACK}:${port}`;
  const web = createWebApp({ app, files, gate, host, headers: toPageHeaders(options.stageSource), streams });
  // Long enough for a large paste on a slow disk; a request that never ends must not occupy a socket forever.
  server.requestTimeout = 60_000;
  server.on('request', getRequestListener(web.fetch));
  return {
    url: `http://${host}/#launch=${gate.token}`,
    origin: `http://${host}`,
    port,
    close: () => close(server, streams),
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (cause: NodeJS.ErrnoException) =>
      reject(
        new AppError(
          'E_IO',
          `Port ${port} cannot be used: ${cause.code === 'EADDRINUSE' ? 'it is taken' : cause.code}.`,
          {
            reason: 'host.portTaken',
            details: { port },
            cause,
          },
        ),
      );
    server.once('error', onError);
    server.listen(port, LOOPBACK, () => {
      server.off('error', onError);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function close(server: Server, streams: EventStreams): Promise<void> {
  return new Promise((resolve) => {
    const deadline = Date.now() + CLOSE_TIMEOUT_MS;
    // Connections become idle one by one, as their streams and calls end.
    const timer = setInterval(() => {
      if (Date.now() < deadline) server.closeIdleConnections();
      else server.closeAllConnections();
    }, 20);
    server.close(() => {
      clearInterval(timer);
      resolve();
    });
    streams.close();
  });
}
