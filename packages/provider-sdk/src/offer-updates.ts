import { toOffered } from './describe.ts';
import { toFrame } from './running-calls.ts';
import type { Capability, Frame, JsonObject } from './types.ts';

/** Milliseconds in which changes are collected, and before another attempt when the app said that they come too often. */
const PAUSE_MS = { collect: 100, tooOften: 1000 };
const TOO_OFTEN = 'SYSTEM.RATE_LIMITED';

/** A change that was sent; a capability that is removed is undefined. */
interface Sent {
  frame: string;
  capabilities: Change['capabilities'];
}

/** Tells the app what is offered: one frame at a time, each after the answer to the one before. */
export interface OfferUpdates {
  changed(ids: readonly string[]): void;
  /** Everything that is offered now was sent with a registration. */
  registered(): void;
  /** Sends changes from now on. */
  start(): void;
  stop(): void;
  /** Answers of the app to the frame with this id; those to other frames are ignored, their problems told. */
  accepted(frame: string): void;
  refused(frame: string, error: JsonObject): void;
  /** True for what is offered, but not known to the app yet. */
  isUnknown(id: string): boolean;
}

/** `offered` is what the provider offers now; what the app refuses is put back there as it was. */
export function createOfferUpdates(
  offered: Map<string, Capability>,
  on: { send(frame: Frame): void; onProblem(message: string): void; onSettled(): void },
): OfferUpdates {
  /** What the app has. */
  let known = new Map<string, Capability>();
  const changed = new Set<string>();
  let sent: Sent | null = null;
  let isOpen = false;
  let timer: NodeJS.Timeout | undefined;

  function sendLater(pause: number): void {
    if (isOpen && sent === null && changed.size > 0) timer ??= setTimeout(sendNow, pause);
  }

  function sendNow(): void {
    timer = undefined;
    const change = toChange(changed, { offered, known });
    if (change === null) {
      changed.clear();
      on.onSettled();
      return;
    }
    for (const id of change.capabilities.keys()) changed.delete(id);
    const frame = toFrame('capability_update', toPayload(change));
    sent = { frame: frame.id, capabilities: change.capabilities };
    on.send(frame);
  }

  /** Returns what was sent with this frame, which waits for no answer any more. */
  function take(frame: string): Sent | null {
    if (sent?.frame !== frame) return null;
    const taken = sent;
    sent = null;
    return taken;
  }

  function stop(): void {
    isOpen = false;
    clearTimeout(timer);
    timer = undefined;
  }

  return {
    changed(ids) {
      for (const id of ids) changed.add(id);
      sendLater(PAUSE_MS.collect);
    },
    registered() {
      known = new Map(offered);
      changed.clear();
      sent = null;
    },
    start() {
      isOpen = true;
      sendLater(PAUSE_MS.collect);
    },
    stop,
    accepted(frame) {
      for (const [id, capability] of take(frame)?.capabilities ?? []) put(known, id, capability);
      sendLater(PAUSE_MS.collect);
      on.onSettled();
    },
    refused(frame, { code, message }) {
      const { capabilities } = take(frame) ?? {};
      const isTooOften = code === TOO_OFTEN && capabilities !== undefined;
      if (!isTooOften) on.onProblem(String(message));
      for (const [id, capability] of capabilities ?? []) {
        if (isTooOften) changed.add(id);
        // Unless it was replaced meanwhile.
        else if (offered.get(id) === capability) put(offered, id, known.get(id));
      }
      sendLater(isTooOften ? PAUSE_MS.tooOften : PAUSE_MS.collect);
      on.onSettled();
    },
    isUnknown: (id) => offered.has(id) && !known.has(id),
  };
}

interface Change {
  action: 'remove' | 'add' | 'update';
  capabilities: Map<string, Capability | undefined>;
}

/** Returns the change of one frame; what is removed comes first, so that there is room. Null: the app has it all. */
function toChange(
  changed: Iterable<string>,
  { offered, known }: { offered: ReadonlyMap<string, Capability>; known: ReadonlyMap<string, Capability> },
): Change | null {
  const changes: Record<Change['action'], Change['capabilities']> = {
    remove: new Map(),
    add: new Map(),
    update: new Map(),
  };
  for (const id of changed) {
    const action = known.has(id) ? (offered.has(id) ? 'update' : 'remove') : 'add';
    if (offered.has(id) || known.has(id)) changes[action].set(id, offered.get(id));
  }
  const action = (['remove', 'add', 'update'] as const).find((each) => changes[each].size > 0);
  return action === undefined ? null : { action, capabilities: changes[action] };
}

function toPayload({ action, capabilities }: Change): JsonObject {
  if (action === 'remove') return { action, ids: [...capabilities.keys()] };
  const offered = [...capabilities].flatMap(([id, capability]) => (capability ? [toOffered(id, capability)] : []));
  return { action, capabilities: offered };
}

function put<T>(map: Map<string, T>, id: string, value: T | undefined): void {
  if (value === undefined) map.delete(id);
  else map.set(id, value);
}
