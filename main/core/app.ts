import type { z } from 'zod';
import { type Emit, events, type Method, methods } from '../../shared/contract.ts';
import { AppError, type ErrorData, type Reply, toErrorData } from '../../shared/errors.ts';
import type { Tool } from './capability/define-tool.ts';
import { createHandlers } from './handlers.ts';
import type { Ports } from './ports.ts';
import { createProjectArea } from './project/project-area.ts';
import { createSettingsArea } from './settings/settings-area.ts';
import { findObstacle } from './updates/find-obstacle.ts';
import { createUpdatesArea } from './updates/updates-area.ts';

/** The whole application behind two verbs. Hosts carry these and decide nothing. */
export interface App {
  /** Answers one method of the contract. Never rejects: a failure is an `ok: false` reply. */
  call(method: string, input: unknown): Promise<Reply<unknown>>;
  /** Hears every event, already parsed. Returns the function that stops it. */
  on(listener: (event: string, payload: unknown) => void): () => void;
  /** Sends an event that the host caused. Parsed like the app's own. */
  emit: Emit;
  /** The host's window shows the page: what can wait until then begins. */
  begin(): void;
  /** Stops what runs, closes the open game, and installs an update if one is ready. Calls made afterwards fail. */
  dispose(): Promise<void>;
}

/** Something that should not have happened, for the host's log: pages only hear a bland sentence about it. */
export interface Fault {
  where: string;
  error: unknown;
}

export interface AppOptions {
  /** What the assistant can be allowed to do. */
  tools: readonly Tool[];
  onFault?: (fault: Fault) => void;
}

/**
 * Puts the application together from a machine's ports. The set of methods is closed; input and output are both
 * parsed, so that a handler can neither be surprised nor leak a field the contract does not name.
 */
export function createApp(ports: Ports, options: AppOptions): App {
  const { tools, onFault = () => {} } = options;
  const listeners = new Set<(event: string, payload: unknown) => void>();
  let isDisposed = false;

  const send = (event: string, payload: unknown): void => {
    for (const listener of listeners) {
      try {
        listener(event, payload);
      } catch (error) {
        // One page that cannot be reached must not keep the news from the others, nor break who told it.
        onFault({ where: `listener of ${event}`, error });
      }
    }
  };

  const emit: Emit = (event, payload) => {
    const parsed = events[event].safeParse(payload);
    if (parsed.success) {
      send(event, parsed.data);
      return;
    }
    // News often starts in a socket or a timer, where throwing would end the app: the page is told that it missed some.
    onFault({ where: `event ${event}`, error: parsed.error });
    send('app.noticed', { level: 'error', reason: 'E_INTERNAL', details: { event } });
  };

  const updates = createUpdatesArea({
    ...{ updates: ports.updates, clock: ports.clock, version: ports.version, emit, onFault },
    readSettings: () => ports.settings.read(),
  });
  const settings = createSettingsArea(ports, emit, updates.follow);
  const project = createProjectArea({
    ...{ ports, tools, emit, onFault },
    locale: settings.locale,
    chooseTool: settings.chooseTool,
  });
  const handlers = createHandlers({ ports, settings, project, updates });

  const answer = async (name: string, input: unknown): Promise<unknown> => {
    if (isDisposed) throw new AppError('E_UNSUPPORTED', 'The app is closing.', { reason: 'app.closing' });
    if (!isMethod(name)) throw new AppError('E_UNSUPPORTED', `There is no method "${name.slice(0, 100)}".`);
    const contract = methods[name];
    const handler = handlers[name] as (input: unknown) => Promise<unknown>;
    const output = contract.output.safeParse(await handler(toInput(name, contract.input, input)));
    if (!output.success) throw output.error;
    return output.data;
  };

  return {
    async call(name, input) {
      try {
        return { ok: true, value: await answer(name, input) };
      } catch (error) {
        if (!(error instanceof AppError)) onFault({ where: name, error });
        return { ok: false, error: toReplyError(error) };
      }
    },
    emit,
    begin: updates.begin,
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async dispose() {
      if (isDisposed) return;
      isDisposed = true;
      // The pages stay where they are; whether the app is there again is for them to find out.
      listeners.clear();
      updates.stop();
      // Asked before the game is closed: closing stops the turn that would have been the obstacle.
      const obstacle = findObstacle(project.atStake());
      await project.close();
      if (obstacle === null) await updates.install();
    },
  };
}

function isMethod(name: string): name is Method {
  return Object.hasOwn(methods, name);
}

function toInput(name: string, schema: z.ZodType, input: unknown): unknown {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, 5).map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`);
  throw new AppError('E_BAD_ARGS', `${name} was called with invalid arguments (${issues.join('; ')}).`, {
    details: { issues },
  });
}

/** Details are data from anywhere: what JSON cannot carry is left behind rather than breaking the reply. */
function toReplyError(error: unknown): ErrorData {
  const data = toErrorData(error);
  if (!data.details) return data;
  try {
    return { ...data, details: JSON.parse(JSON.stringify(data.details)) as Record<string, unknown> };
  } catch {
    // A cycle or a bigint: the code and the message say enough without it.
    const { details: _details, ...rest } = data;
    return rest;
  }
}
