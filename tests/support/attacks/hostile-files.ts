import { mkdir, open, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';

/** What a trap writes to the stage as if it were the engine's page. */
export const FORGED = 'forged by a file';

/** A script that reports to `E`, another program, by every short way, and to the windows around it. `name` is that of its file. */
const toTrap = (name: string): string => `
  var E = 'ADDRESS';
  try { parent.postMessage({ stage: 'listening', trap: '${name}' }, '*'); top.postMessage({ stage: 'listening', trap: '${name}' }, '*'); } catch (error) {}
  try { new Image().src = E + '/${name}/image'; } catch (error) {}
  try { fetch(E + '/${name}/fetch', { mode: 'no-cors' }).catch(function () {}); } catch (error) {}
  try { new WebSocket(E.replace('http', 'ws') + '/${name}/socket'); } catch (error) {}
  try { var socket = new WebSocket('ws://' + location.host + '/__stage/bridge'); socket.onopen = function () { socket.send(JSON.stringify({ kind: 'trouble', level: 'error', text: '${FORGED} ${name}' })); }; } catch (error) {}`;

const XHTML = 'xmlns="http://www.w3.org/1999/xhtml"';
const toScript = (name: string, tag = 'script'): string => `<${tag}><![CDATA[${toTrap(name)}]]></${tag}>`;

/** Files with programs that a browser runs where it opens them as a page, by path. `ADDRESS` stands for the other program. */
const TRAPS: Readonly<Record<string, string>> = {
  'game/background/trap.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="36" onload="void 0">${toScript('svg')}<image href="ADDRESS/svg/picture" width="9" height="9"/><foreignObject width="9" height="9"><iframe ${XHTML} src="ADDRESS/svg/frame"></iframe></foreignObject></svg>`,
  'game/trap.html': `<!doctype html><title>trap</title><body onload="void 0"><script>${toTrap('html')}</script><img src="ADDRESS/html/picture"><iframe src="ADDRESS/html/frame"></iframe><meta http-equiv="refresh" content="1;url=ADDRESS/html/refresh">`,
  'game/trap.xhtml': `<?xml version="1.0"?><html ${XHTML}><body>${toScript('xhtml')}<img src="ADDRESS/xhtml/picture"/></body></html>`,
  'game/trap.xml': `<?xml version="1.0"?><root>${toScript('xml', `script ${XHTML}`).replace(/<\/script [^>]*>/, '</script>')}</root>`,
};
export const TRAP_PATHS = Object.keys(TRAPS);

/** Writes the traps into a game; they report to `origin`. */
export async function plantTraps(projectDir: string, origin: string): Promise<void> {
  for (const [path, text] of Object.entries(TRAPS)) {
    await mkdir(dirname(join(projectDir, path)), { recursive: true });
    await writeFile(join(projectDir, path), text.replaceAll('ADDRESS', origin));
  }
}

const TYPES: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  html: 'text/html',
  xhtml: 'application/xhtml+xml',
  xml: 'text/xml',
};

/** Serves the traps without the stage's headers, to show that they would work. */
export async function serveTrapsBare(origin: string): Promise<{ origin: string; close(): void }> {
  const server: Server = createServer((request, response) => {
    const path = (request.url ?? '').slice(1);
    const text = TRAPS[path] ?? '<p>bare';
    const type = TYPES[path.split('.').at(-1) ?? ''] ?? 'text/html';
    response.writeHead(200, { 'content-type': type }).end(text.replaceAll('ADDRESS', origin));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** More than two gigabytes, of which the disk stores only the end. */
export const FILM_BYTES = 3 * 1024 ** 3;

/** Adds a film of `FILM_BYTES` that ends with “the end”. */
export async function plantFilm(projectDir: string): Promise<void> {
  await mkdir(join(projectDir, 'game/video'), { recursive: true });
  const film = await open(join(projectDir, 'game/video/film.mp4'), 'w');
  await film.truncate(FILM_BYTES);
  await film.write('the end', FILM_BYTES - 7);
  await film.close();
}
