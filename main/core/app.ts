import type { z } from 'zod';
import { type Emit, events, type Method, methods } from '../../shared/contract.ts';
import { AppError, type ErrorData, type Reply, toErrorData } from '../../shared/errors.ts';
import type { TurnLimits } from './agent/loop/turn-guards.ts';
import { createApi } from './capability/api/create-api.ts';
import { createAppAudit } from './capability/audit/app-audit.ts';
import { type CapabilitySet, createCapabilitySet, type ToolSource } from './capability/catalog/capability-set.ts';
import type { Tool } from './capability/define-tool.ts';
import { followProviders } from './capability/external/follow-providers.ts';
import { createExternalService } from './external/external-service.ts';
import { createHandlers } from './handlers.ts';
import type { Ports } from './ports/ports.ts';
import { createProjectService } from './project/project-service.ts';
import { createSettingsService, type SettingsPorts } from './settings/settings-service.ts';
import { createSpending } from './spending/spending.ts';
import { findObstacle } from './updates/find-obstacle.ts';
import { createUpdatesService } from './updates/updates-service.ts';

/** The application behind `call` and `on`. Hosts only transport calls and events. */
export interface App {
  /** Calls one method of the contract. Never rejects: a failure is an `ok: false` reply. */
  call(method: string, input: unknown): Promise<Reply<unknown>>;
  /** Subscribes to all events, already parsed. Returns a function that unsubscribes. */
  on(listener: (event: string, payload: unknown) => void): () => void;
  /** Sends an event caused by the host, parsed like the app's own events. */
  emit: Emit;
  /** Starts deferred work. Hosts call it when the window shows the page. */
  begin(): void;
  /** Stops running work, closes the open game and installs an update if one is ready. Later calls fail. */
  dispose(): Promise<void>;
}

/** An internal error for the host's log. Pages receive only a generic message. */
export interface Fault {
  where: string;
  error: unknown;
}

export interface AppOptions {
  /** All tools that the assistant may be permitted to use. */
  tools: readonly Tool[];
  /** Limits of turns instead of the standard ones. */
  limits?: Partial<TurnLimits>;
  onFault?: (fault: Fault) => void;
}

/**
 * Creates the application from the ports. The set of methods is closed. Input and output are both parsed, so that handlers
 * receive valid input only and cannot leak a field that the contract does not define.
 */
export function createApp(ports: Ports, options: AppOptions): App {
  const { tools, limits = {}, onFault = () => {} } = options;
  const { listeners, emit } = createEmitter(onFault);
  let isDisposed = false;

  const updates = createUpdatesService({
    ...{ updates: ports.updates, clock: ports.clock, version: ports.version, emit, onFault },
    readSettings: () => ports.settings.read(),
  });
  // One set for the app's model, other programs and the settings page; each has its own view.
  const capabilities = createCapabilitySet(tools);
  const providers = followProviders(ports.providers, toFollowOptions(ports, capabilities, onFault));
  const audit = createAppAudit(ports.auditLog, { clock: ports.clock, emit });
  const settings = createSettingsService(toSettingsPorts(ports, capabilities), emit, (after, before) => {
    updates.follow(after);
    api.follow(after);
    external.follow(after);
    return audit.noteSettings({ before, after });
  });
  const external = createExternalService({
    ...{ servers: ports.mcpServers, providers, emit },
    ...{ read: () => ports.settings.read(), change: settings.change, readTokens: () => readTokens(ports) },
  });
  const spending = createSpending({ store: ports.spending, clock: ports.clock, onFault });
  const project = createProjectService({
    ...{ ports, capabilities, limits, emit, onFault, spending },
    ...{ locale: settings.locale, notePicturesRefused: settings.notePicturesRefused },
    ...{ chooseTool: settings.chooseTool, chooseEngine: settings.chooseEngine },
  });
  const api = createApi({ ports, capabilities, providers, settings, project, listeners, audit, emit, onFault });
  const handlers = createHandlers({
    ...{ ports, settings: audit.withKeys(settings), project, updates, spending, external, emit },
    ...{ connections: api.connections, audit: audit.service },
  });
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
    begin() {
      updates.begin();
      // After the window is there: no service delays the start.
      ports.settings.read().then(external.follow, (error: unknown) => onFault({ where: 'services', error }));
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async dispose() {
      if (isDisposed) return;
      isDisposed = true;
      // Pages are not notified; they detect by themselves that the app is gone or back.
      listeners.clear();
      await api.dispose();
      providers.dispose();
      await ports.mcpServers?.dispose();
      updates.stop();
      // Read before the game is closed: closing stops the turn that would be the obstacle.
      const obstacle = findObstacle(project.openWork());
      await project.close();
      await Promise.all([ports.terre?.stop(), ports.auditLog.close()]);
      if (obstacle === null) await updates.install();
    },
  };
}

/** What the user allows is stored with what another program declares of it. */
function toFollowOptions({ clock, risks }: Ports, set: CapabilitySet, onFault: (fault: Fault) => void) {
  return { set, clock, store: risks, onFault };
}

function toSettingsPorts(ports: Ports, { current }: ToolSource): SettingsPorts {
  return {
    ...ports,
    findDeclaration: (tool) =>
      current()
        .find(({ name }) => name === tool)
        ?.declaration?.(),
  };
}

type Listener = (event: string, payload: unknown) => void;

function createEmitter(onFault: (fault: Fault) => void): { listeners: Set<Listener>; emit: Emit } {
  const listeners = new Set<Listener>();
  const send = (event: string, payload: unknown): void => {
    for (const listener of listeners) {
      try {
        listener(event, payload);
      } catch (error) {
        // A failing listener must affect neither the other listeners nor the caller of `emit`.
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
    // Events often start in a socket or timer callback, where throwing would end the process. The page receives a notice instead.
    onFault({ where: `event ${event}`, error: parsed.error });
    send('app.noticed', { level: 'error', reason: 'E_INTERNAL', details: { event } });
  };
  return { listeners, emit };
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

/** Converts an error for a reply. Drops details that cannot be serialised as JSON. */
function toReplyError(error: unknown): ErrorData {
  const data = toErrorData(error);
  if (!data.details) return data;
  try {
    return { ...data, details: JSON.parse(JSON.stringify(data.details)) as Record<string, unknown> };
  } catch {
    // The details contain a cycle or a bigint; code and message are sufficient without them.
    const { details: _details, ...rest } = data;
    return rest;
  }
}

/** Returns the names of programs that may connect by themselves. */
async function readTokens({ gateway }: Pick<Ports, 'gateway'>): Promise<string[]> {
  return ((await gateway?.tokens()) ?? []).map(({ provider }) => provider);
}
