import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import mime from 'mime';

/** Serves a game with an engine as any web server does: files of the game, else of the engine, without the app. */
export async function serveBareEngine(
  engineDirectory: string,
  game: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://engine');
    const path = normalize(pathname === '/' ? '/index.html' : decodeURIComponent(pathname));
    const body = await readFile(join(game, path)).catch(() => readFile(join(engineDirectory, path)).catch(() => null));
    response.writeHead(body ? 200 : 404, {
      'content-type': mime.getType(path) ?? 'application/octet-stream',
      'cache-control': 'no-store',
    });
    response.end(body ?? undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
