import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { StandInOptions } from './install-terre.ts';

/**
 * Stands in for the program WebGAL Terre, which no registry has: started as a child process, it answers as recorded from 4.6.4.
 * Its folder holds `games.json` (name of each game to its real path) and receives `requests.log`. It takes its port and its folder
 * as Terre does, acknowledges commands at once, and has a preview if `games.json` names a `preview`.
 */
const PROTOCOL = 'webgal-editor-preview-sync.v1';
const at = process.argv.indexOf('--cwd');
if (at > 0) process.chdir(process.argv[at + 1] ?? '.');
const readOptions = () => JSON.parse(readFileSync('games.json', 'utf8')) as StandInOptions;
const port = Number(process.env.WEBGAL_PORT ?? 3000) + 1;
const record = (line: string) => appendFileSync('requests.log', `${line}\n`);
record(`START ${process.cwd() === process.env.PWD} ${Object.keys(process.env).sort().join(' ')}`);

const server = createServer((request, response) => {
  const place = decodeURIComponent(request.url ?? '');
  record(`${request.method} ${place}`);
  const { games } = readOptions();
  const dir = /^\/api\/manageGame\/readGameAssets\/(.+)\/game$/.exec(place)?.[1];
  if (place === '/api/test') response.end('WebGAL Terre Application API Test OK');
  else if (place === '/api/manageGame/gameList')
    response.end(JSON.stringify(Object.keys(games).map((name) => ({ dir: name }))));
  else if (dir !== undefined) response.end(JSON.stringify({ readDirPath: dir, dirPath: games[dir], dirInfo: [] }));
  else response.writeHead(404).end();
});

const sockets = new WebSocketServer({
  server,
  path: '/api/webgalsync',
  handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
});
sockets.on('connection', (socket: WebSocket) => {
  socket.on('message', (data) => {
    record(`SOCKET ${socket.protocol || 'legacy'} ${data}`);
    const message = JSON.parse(String(data)) as {
      kind?: string;
      type: string;
      requestId: string;
      payload: { sceneName: string; sentenceId: number };
    };
    if (message.kind !== 'request') return;
    socket.send(JSON.stringify({ kind: 'response', type: message.type, requestId: message.requestId, payload: {} }));
    if (!readOptions().preview) return;
    const { sceneName, sentenceId } = message.payload;
    const event = (scene: string, line: number) =>
      JSON.stringify({
        ...{ kind: 'event', type: 'stage.snapshot.updated' },
        payload: { sceneName: scene, sentenceId: line, stageState: { showText: '' } },
      });
    // The engine resets its stage first.
    socket.send(event('', 0));
    setTimeout(() => socket.send(event(sceneName, sentenceId)), 50);
  });
});

const { startsAfter = 0 } = readOptions();
writeFileSync('pid', String(process.pid));
console.log('\u001b[32mNest application starts\u001b[39m');
setTimeout(() => server.listen(port, '127.0.0.1'), startsAfter);
