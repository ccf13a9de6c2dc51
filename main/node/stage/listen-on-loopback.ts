import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net';

/** Error codes of a machine without IPv6. */
const NO_ADDRESS = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL', 'EPROTONOSUPPORT']);
/** Each try uses another port; a port that is free for IPv4 and taken for IPv6 is rare. */
const MAX_TRIES = 20;

/**
 * Listens on one free port of both loopback addresses. Names below `localhost` resolve to both, and a browser that is
 * refused by one tries the other: if that one were free, another program could answer there in the server's name.
 * Resolves to the port and a function that closes the second address; `server.close()` closes the first. Rejects with the
 * system's error.
 */
export async function listenOnLoopback(server: Server): Promise<{ port: number; close(): void }> {
  for (let tries = 1; ; tries += 1) {
    const port = await listen(server, 0, '127.0.0.1');
    // Connections are passed to the one server, so that it handles and closes them as its own.
    const other = createServer((socket) => server.emit('connection', socket));
    other.maxConnections = server.maxConnections;
    try {
      await listen(other, port, '::1');
      return { port, close: () => void other.close() };
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (NO_ADDRESS.has(code)) return { port, close: () => undefined };
      await new Promise((resolve) => server.close(resolve));
      if (code !== 'EADDRINUSE' || tries === MAX_TRIES) throw error;
    }
  }
}

function listen(server: NetServer, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
