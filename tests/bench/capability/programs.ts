import { WebSocket } from 'ws';

/** A process of its own for programs that connect: receives their frames once, then how many are to be connected. */
interface Programs {
  url: string;
  programs: readonly { token: string; frame: string }[];
}

let known: Programs = { url: '', programs: [] };
let sockets: WebSocket[] = [];

process.on('message', (order: Programs | number) => {
  if (typeof order !== 'number') {
    known = order;
    process.send?.('ready');
    return;
  }
  for (const socket of sockets) socket.terminate();
  sockets = known.programs.slice(0, order).map(({ token, frame }) => {
    const socket = new WebSocket(known.url, { headers: { authorization: `Bearer ${token}` } });
    socket.on('open', () => socket.send(frame));
    return socket;
  });
});
