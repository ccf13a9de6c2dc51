import { createConnection, type Socket } from 'node:net';

/*
 * The requests of the X protocol that are needed to answer a system dialog (X.org, "X Window System Protocol" and "XTEST
 * Extension"): there is no window manager under Xvfb, and no other program is guaranteed to be installed.
 */
const KEY_CODES = { Return: 36, Escape: 9 };
const [QUERY_TREE, GET_GEOMETRY, GET_ATTRIBUTES, SET_FOCUS, WARP_POINTER, QUERY_EXTENSION] = [15, 14, 3, 42, 41, 98];
const VIEWABLE = 2;
const [KEY_PRESS, KEY_RELEASE] = [2, 3];
const TIMEOUT_MS = 30_000;
const RETRY_MS = 300;
/** A dialog accepts keys only once it is drawn. */
const DRAWN_MS = 700;

/**
 * Waits for a window on the display `name` (`:7`), focuses it and presses a key. The display must have no other window. Throws
 * if no window appears.
 */
export async function pressInDialog(name: string, key: keyof typeof KEY_CODES): Promise<void> {
  const display = await openDisplay(name);
  try {
    const deadline = Date.now() + TIMEOUT_MS;
    for (;;) {
      const window = await findWindow(display);
      if (window !== null) {
        await new Promise((resolve) => setTimeout(resolve, DRAWN_MS));
        await press(display, window, KEY_CODES[key]);
        return;
      }
      if (Date.now() > deadline) throw new Error('No dialog was shown.');
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  } finally {
    display.close();
  }
}

interface Display {
  root: number;
  ask(request: Buffer): Promise<Buffer>;
  send(request: Buffer): void;
  close(): void;
}

async function openDisplay(name: string): Promise<Display> {
  const socket = createConnection(`/tmp/.X11-unix/X${/:(\d+)/.exec(name)?.[1] ?? '0'}`);
  const read = createReader(socket);
  const hello = Buffer.alloc(12);
  hello.write('l', 0);
  hello.writeUInt16LE(11, 2);
  socket.write(hello);
  const head = await read(8);
  if (head[0] !== 1) throw new Error('The display refused the connection.');
  const setup = await read(head.readUInt16LE(6) * 4);
  const formats = setup[21] ?? 0;
  const vendorLength = setup.readUInt16LE(16);
  const root = setup.readUInt32LE(32 + Math.ceil(vendorLength / 4) * 4 + formats * 8);
  return {
    root,
    send: (request) => void socket.write(request),
    async ask(request) {
      socket.write(request);
      let reply = await read(32);
      // Skips events that every client receives, such as a change of the keyboard layout.
      while ((reply[0] ?? 0) > 1) reply = await read(32);
      if (reply[0] !== 1) throw new Error(`The display answered with error ${reply[1]}.`);
      return Buffer.concat([reply, await read(reply.readUInt32LE(4) * 4)]);
    },
    close: () => socket.destroy(),
  };
}

/** Creates a function that reads the next bytes of a socket in order. */
function createReader(socket: Socket): (length: number) => Promise<Buffer> {
  let kept = Buffer.alloc(0);
  let wake: (() => void) | null = null;
  let failure: Error | null = null;
  socket.on('data', (chunk) => {
    kept = Buffer.concat([kept, chunk as Buffer]);
    wake?.();
  });
  socket.on('error', (error) => {
    failure = error;
    wake?.();
  });
  return async (length) => {
    while (kept.length < length) {
      if (failure) throw failure;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const taken = kept.subarray(0, length);
    kept = kept.subarray(length);
    return taken;
  };
}

/** Returns the visible top-level window that is large enough to be a dialog; null if there is none. */
async function findWindow({ root, ask }: Display): Promise<number | null> {
  const tree = await ask(toRequest(QUERY_TREE, [root]));
  const count = tree.readUInt16LE(16);
  for (let index = count - 1; index >= 0; index -= 1) {
    const window = tree.readUInt32LE(32 + index * 4);
    try {
      const attributes = await ask(toRequest(GET_ATTRIBUTES, [window]));
      const geometry = await ask(toRequest(GET_GEOMETRY, [window]));
      if (attributes[26] === VIEWABLE && geometry.readUInt16LE(16) > 100) return window;
    } catch {
      // The window was closed after the list was read.
    }
  }
  return null;
}

async function press({ root, ask, send }: Display, window: number, keyCode: number): Promise<void> {
  const name = Buffer.from('XTEST\0\0\0');
  const query = Buffer.concat([toRequest(QUERY_EXTENSION, [5]), name]);
  query.writeUInt16LE(query.length / 4, 2);
  const opcode = (await ask(query))[9] ?? 0;
  const warp = toRequest(WARP_POINTER, [0, window, 0, 0, 0]);
  warp.writeInt16LE(40, 20);
  warp.writeInt16LE(40, 22);
  send(warp);
  const focus = toRequest(SET_FOCUS, [window, 0]);
  focus[1] = 1;
  send(focus);
  for (const type of [KEY_PRESS, KEY_RELEASE]) {
    const request = Buffer.alloc(36);
    request.writeUInt8(opcode, 0);
    request.writeUInt8(2, 1);
    request.writeUInt16LE(9, 2);
    request.writeUInt8(type, 4);
    request.writeUInt8(keyCode, 5);
    request.writeUInt32LE(root, 12);
    send(request);
  }
  // Any reply proves that the server has handled the earlier requests.
  await ask(toRequest(QUERY_TREE, [root]));
}

function toRequest(opcode: number, words: readonly number[]): Buffer {
  const request = Buffer.alloc(4 + words.length * 4);
  request.writeUInt8(opcode, 0);
  request.writeUInt16LE(request.length / 4, 2);
  for (const [index, word] of words.entries()) request.writeUInt32LE(word, 4 + index * 4);
  return request;
}
