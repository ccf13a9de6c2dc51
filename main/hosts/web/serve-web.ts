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
const CLOSE_GRACE = 2_000;
/** Other programs on 127.0.0.1 may have set all the cookies that a browser keeps for a host; they must not lock the page out. */
const MAX_HEADER_BYTES = 1024 * 1024;

export interface WebHost {
  /** The launch link: opens the app in a browser, once. */
  url: string;
  origin: string;
  port: number;
  /** Stops listening, ends the event streams, lets calls under way finish for a moment. The app itself is left to whoever made it. */
  close(): Promise<void>;
}

/**
 * Serves the app to a browser on this computer. `port` 0 takes any free one. Throws `E_IO` with reason
 * `host.portTaken` when the port cannot be had.
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
  // A large paste over a slow disk may take its time, yet a request that never ends must not hold a socket for ever.
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
    const giveUpAt = Date.now() + CLOSE_GRACE;
    // Connections fall idle one by one, as the streams and the calls on them end.
    const timer = setInterval(() => {
      if (Date.now() < giveUpAt) server.closeIdleConnections();
      else server.closeAllConnections();
    }, 20);
    server.close(() => {
      clearInterval(timer);
      resolve();
    });
    streams.close();
  });
}
