import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
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
  else {
    const file = findGameFile(place.replace(/\?.*$/, ''));
    if (file === null) response.writeHead(404).end();
    else response.writeHead(200, { 'cache-control': 'public, max-age=0' }).end(readFileSync(file));
  }
});

/** The game's files from the game, else from the engine; all else from the engine. An unknown game has the engine's page, too. */
function findGameFile(place: string): string | null {
  const { games, engine } = readOptions();
  const [, name = '', path = ''] = /^\/games\/([^/]+)\/(.*)$/.exec(place) ?? [];
  if (engine === undefined || name === '') return null;
  const inGame = path.startsWith('game/') && games[name] !== undefined ? join(games[name], path.slice(5)) : null;
  const file = [inGame, join(engine, path || 'index.html')].find((each) => each !== null && existsSync(each));
  return file === undefined || file === null || !statSync(file).isFile() ? null : file;
}

const sockets = new WebSocketServer({
  server,
  path: '/api/webgalsync',
  handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
});
/** Those that registered as previews. All others of the newer protocol are editors. */
const previews = new Set<WebSocket>();
const sendTo = (message: object, isReceiver: (socket: WebSocket) => boolean) => {
  for (const socket of sockets.clients) if (isReceiver(socket)) socket.send(JSON.stringify(message));
};
const isEditor = (socket: WebSocket) => socket.protocol === PROTOCOL && !previews.has(socket);
const isOlder = (socket: WebSocket) => socket.protocol === '';
const toSnapshot = (sceneName: string, sentenceId: number, stageState: object = { showText: '' }) => ({
  ...{ kind: 'event', type: 'stage.snapshot.updated' },
  payload: { sceneName, sentenceId, stageState },
});

interface Message {
  kind?: string;
  type: string;
  requestId: string;
  payload: { sceneName: string; sentenceId: number };
  data: { command: number; sceneMsg: { scene: string; sentence: number }; stageSyncMsg: object };
}

/** Each message of an older socket goes to all of them; a state, to the editors too. */
function takeOlder(message: Message): void {
  sendTo(message, isOlder);
  const { command, sceneMsg, stageSyncMsg } = message.data;
  if (command === 1) sendTo(toSnapshot(sceneMsg.scene, sceneMsg.sentence, stageSyncMsg), isEditor);
}

function takeNewer(socket: WebSocket, message: Message): void {
  const { kind, type, requestId, payload } = message;
  if (kind === 'event') sendTo(message, isEditor);
  if (kind !== 'request') return;
  // Acknowledged whether or not there is a preview.
  socket.send(JSON.stringify({ kind: 'response', type, requestId, payload: {} }));
  if (type === 'session.register-preview') {
    previews.add(socket);
    return;
  }
  const { sceneName, sentenceId } = payload;
  sendTo(message, (other) => previews.has(other));
  if (type === 'preview.command.sync-scene') {
    const data = {
      command: 0,
      sceneMsg: { scene: sceneName, sentence: sentenceId },
      stageSyncMsg: {},
      message: 'Sync',
    };
    sendTo({ event: 'message', data }, isOlder);
  }
  if (!readOptions().preview) return;
  // The engine resets its stage first.
  socket.send(JSON.stringify(toSnapshot('', 0)));
  setTimeout(() => socket.send(JSON.stringify(toSnapshot(sceneName, sentenceId))), 50);
}

sockets.on('connection', (socket: WebSocket) => {
  socket.on('message', (data) => {
    record(`SOCKET ${socket.protocol || 'legacy'} ${data}`);
    const message = JSON.parse(String(data)) as Message;
    if (socket.protocol === '') takeOlder(message);
    else takeNewer(socket, message);
  });
});

const { startsAfter = 0 } = readOptions();
writeFileSync('pid', String(process.pid));
console.log('\u001b[32mNest application starts\u001b[39m');
setTimeout(() => server.listen(port, '127.0.0.1'), startsAfter);
