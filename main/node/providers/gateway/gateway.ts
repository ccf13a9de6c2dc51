import { z } from 'zod';
import { AppError, toErrorData } from '../../../../shared/errors.ts';
import {
  type GatewayFrame,
  PROTOCOL_VERSION,
  parseFrameText,
  parseProviderFrame,
  type RegisterPayload,
} from '../../../../shared/model/capability/provider-frames.ts';
import type { ProviderEvent, ProviderGateway } from '../../../core/ports/providers/gateway.ts';
import type { ExternalProvider } from '../../../core/ports/providers/provider.ts';
import {
  type GatewaySocket,
  type GatewaySocketHandler,
  listenForProviders,
  MAX_FRAME_BYTES,
} from './gateway-server.ts';
import { MAX_CALLS, toHead } from './provider-calls.ts';
import { createProviderSession, type GatewayTimes, type ProviderSession } from './provider-session.ts';
import { createProviderTokens } from './provider-tokens.ts';
import { isTaken, isTooOften, refused, toErrorFrame, toTaken } from './refusals.ts';

const TIMES: GatewayTimes = {
  heartbeatInterval: 15_000,
  resumeWindow: 10_000,
  registerWithin: 10_000,
  probeWithin: 2000,
};
/** Frames of a connection that may be invalid before it is closed. */
const MAX_BAD_FRAMES = 20;

/**
 * Codes with which a connection is closed, from the range that is free for applications. `taken` is not final: a connection with this
 * token that does not answer is dropped meanwhile.
 */
export const CLOSE = { refused: 4400, late: 4408, taken: 4409, off: 4410 } as const;

interface GatewayOptions {
  /** The app's data folder. */
  folder: string;
  now: () => number;
  times?: Partial<GatewayTimes>;
}

/** Creates the gateway; it listens from `start` on. */
export function createProviderGateway({ folder, now, times: given }: GatewayOptions): ProviderGateway {
  const times = { ...TIMES, ...given };
  const tokens = createProviderTokens(folder, now);
  const sessions = new Map<string, ProviderSession>();
  /** Open connections by provider, registered or not. */
  const sockets = new Map<string, Set<GatewaySocket>>();

  const listeners = new Set<() => void>();
  let current: readonly ExternalProvider[] = [];

  function changed(): void {
    const now = [...sessions.values()].map(({ external }) => external);
    if (now.length !== current.length || now.some((each, index) => each !== current[index])) current = now;
    for (const listener of listeners) listener();
  }

  function disconnect(provider: string): void {
    sessions.get(provider)?.end();
    for (const socket of sockets.get(provider) ?? []) socket.close(CLOSE.off);
  }

  return {
    async start(onEvent) {
      const server = await listenForProviders({
        folder,
        now,
        find: (token) => tokens.find(token),
        connect(provider, socket) {
          const open = sockets.get(provider) ?? new Set();
          sockets.set(provider, open.add(socket));
          const handler = serveProvider({ provider, socket, sessions, onEvent, onChange: changed, times, now });
          return {
            ...handler,
            closed(isHonest) {
              open.delete(socket);
              handler.closed(isHonest);
            },
          };
        },
      });
      return {
        url: server.url,
        async close() {
          for (const session of [...sessions.values()]) session.end();
          await server.close();
        },
      };
    },
    current: () => current,
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    connections: () => [...sessions.values()].map((session) => session.connection()),
    tokens: () => tokens.list(),
    async createToken(provider) {
      const token = await tokens.create(provider);
      disconnect(provider);
      return token;
    },
    async removeToken(provider) {
      await tokens.remove(provider);
      disconnect(provider);
    },
  };
}

interface Serving {
  provider: string;
  socket: GatewaySocket;
  sessions: Map<string, ProviderSession>;
  onEvent: (event: ProviderEvent) => void;
  onChange: () => void;
  times: GatewayTimes;
  now: () => number;
}

/** Serves one connection of a provider. */
function serveProvider(serving: Serving): GatewaySocketHandler {
  const { provider, socket, times } = serving;
  const send = (frame: GatewayFrame): void => socket.send(JSON.stringify(frame));
  const { drop, probe, isPaused } = socket;
  const line = { send, drop, probe, isPaused };
  let session: ProviderSession | null = null;
  let bad = 0;
  const late = setTimeout(() => socket.close(CLOSE.late), times.registerWithin);

  function fail(error: unknown, frame: string | undefined): void {
    const data = toErrorData(error instanceof AppError ? error : new AppError('E_INTERNAL', 'The app failed.'));
    send(toErrorFrame(data, frame));
  }

  function register(id: string, payload: RegisterPayload): void {
    clearTimeout(late);
    const { session: own, isResumed } = takeSession(serving, payload);
    try {
      own.attach(line, payload);
    } catch (error) {
      own.end();
      throw error;
    }
    session = own;
    const config = {
      ...{ heartbeatInterval: times.heartbeatInterval, resumeWindow: times.resumeWindow },
      ...{ maxFrameBytes: MAX_FRAME_BYTES, maxCalls: MAX_CALLS },
    };
    send({
      ...{ ...toHead(), type: 'register_ack', correlationId: id },
      payload: { success: true, protocol: PROTOCOL_VERSION, sessionId: own.id, resumed: isResumed, config },
    });
    own.open();
  }

  return {
    receive(text) {
      try {
        const frame = parseProviderFrame(text);
        if (session) {
          if (frame.type === 'register') throw refused(provider, 'E_CONFLICT', 'it is registered already');
          return session.receive(frame);
        }
        if (frame.type !== 'register') throw refused(provider, 'E_BAD_ARGS', 'its first frame is not "register"');
        register(frame.id, frame.payload);
      } catch (error) {
        fail(error, findId(text));
        const request = findAnswered(text);
        if (request !== undefined && error instanceof AppError) session?.spoil(request, error.message);
        if (isTooOften(error)) return;
        bad += 1;
        if (session && bad < MAX_BAD_FRAMES) return;
        session?.end();
        socket.close(isTaken(error) ? CLOSE.taken : CLOSE.refused);
      }
    },
    closed(isHonest) {
      clearTimeout(late);
      if (isHonest) session?.broke(line);
      else session?.end();
    },
  };
}

/** Returns the session that a registration continues, or a new one. Throws if it may not register. */
function takeSession(
  { provider, sessions, onEvent, onChange, times, now }: Serving,
  { protocol, provider: own, resume }: RegisterPayload,
): { session: ProviderSession; isResumed: boolean } {
  if (own.id !== provider) throw refused(provider, 'E_CONFLICT', `the token is not one of "${own.id}"`);
  if (protocol.split('.')[0] !== PROTOCOL_VERSION.split('.')[0]) {
    throw refused(provider, 'E_UNSUPPORTED', `protocol ${protocol} is not understood, only ${PROTOCOL_VERSION}`);
  }
  const existing = sessions.get(provider);
  const isResumed = existing !== undefined && existing.id === resume?.sessionId;
  if (existing && isResumed) return { session: existing, isResumed };
  if (existing?.isConnected()) {
    existing.probe();
    throw toTaken(provider);
  }
  existing?.end();
  const session = createProviderSession({
    ...{ provider, onEvent, onChange, times, now },
    onEnd: () => {
      if (sessions.get(provider) === session) sessions.delete(provider);
      onChange();
    },
  });
  sessions.set(provider, session);
  return { session, isResumed: false };
}

/** Returns which call a frame answers that could not be read; quotation marks in its texts are escaped. */
function findAnswered(text: string): string | undefined {
  if (!/"type"\s*:\s*"response"/.test(text)) return undefined;
  // A second one is in the data: which of them counts is not known.
  const [first, second] = text.matchAll(/"correlationId"\s*:\s*"([^"\\]{1,100})"/g);
  return second === undefined ? first?.[1] : undefined;
}

const WithId = z.object({ id: z.string().min(1).max(100) });

/** Returns the id of a frame that may be invalid otherwise, so that its sender can tell which one was refused. */
function findId(text: string): string | undefined {
  try {
    return WithId.safeParse(parseFrameText(text)).data?.id;
  } catch {
    return undefined;
  }
}
