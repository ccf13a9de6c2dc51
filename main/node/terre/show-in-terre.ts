import { z } from 'zod';
import { openLoopbackSocket } from '../../network/sockets.ts';
import { createEngineProtocol, NEWER_PROTOCOL, readSnapshot } from '../stage/link/engine-protocol.ts';

const CONNECT_TIMEOUT_MS = 3_000;
const SHOW_TIMEOUT_MS = 2_000;
const MAX_FRAME_BYTES = 1024 * 1024;

/** `shown`: the preview stands in the scene, after this number of lines. `sent`: Terre took the jump, and no preview showed it. */
export type ShownInTerre = { kind: 'shown'; line: number } | { kind: 'sent' } | { kind: 'unreachable' };

const Refusal = z.object({ kind: z.literal('error') });

/**
 * Asks Terre to show a line in its open previews. Terre acknowledges every command at once, also without a preview: only a state
 * of the scene counts as shown. An older Terre knows the numbered commands alone and reports nothing back.
 */
export async function showInTerre(origin: string, scene: string, line: number): Promise<ShownInTerre> {
  const address = `${origin.replace(/^http/, 'ws')}/api/webgalsync`;
  const newer = await jump(address, { scene, line, protocol: NEWER_PROTOCOL });
  return newer.kind === 'unreachable' ? jump(address, { scene, line, protocol: '' }) : newer;
}

function jump(
  address: string,
  { scene, line, protocol }: { scene: string; line: number; protocol: string },
): Promise<ShownInTerre> {
  return new Promise((resolve) => {
    const limits = { handshakeTimeout: CONNECT_TIMEOUT_MS, maxPayload: MAX_FRAME_BYTES };
    const socket = openLoopbackSocket(address, limits, protocol === '' ? [] : [protocol]);
    let timer: NodeJS.Timeout | undefined;
    const end = (result: ShownInTerre) => {
      clearTimeout(timer);
      socket.close();
      resolve(result);
    };
    socket.once('open', () => {
      // An older Terre echoes each message to every socket, which is no answer.
      socket.send(createEngineProtocol(protocol).jump(scene, line), (error) => {
        if (error) end({ kind: 'unreachable' });
        else if (protocol === '') end({ kind: 'sent' });
      });
      timer = setTimeout(end, SHOW_TIMEOUT_MS, { kind: 'sent' });
    });
    socket.on('message', (data) => {
      const text = String(data);
      const snapshot = readSnapshot(text);
      if (snapshot?.scene === scene) end({ kind: 'shown', line: snapshot.line });
      else if (isRefusal(text)) end({ kind: 'sent' });
    });
    // Always handled: an unhandled error event ends the process.
    socket.on('error', () => end({ kind: 'unreachable' }));
  });
}

function isRefusal(text: string): boolean {
  try {
    return Refusal.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
