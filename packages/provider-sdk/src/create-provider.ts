import { type Connection, type ConnectOptions, type OwnConnection, openConnection } from './connection.ts';
import { checkProviderId, type ProviderFacts, toCapabilityId, toOffered, USUAL_VERSION } from './describe.ts';
import { type CallContext, type Capability, CapabilityFailure, type JsonObject } from './types.ts';

export interface ProviderOptions extends ProviderFacts {
  /** By the part of the id after `ext.{provider}.`: `roll`, `table.draw`. */
  capabilities: Readonly<Record<string, Capability>>;
}

export interface Provider {
  readonly id: string;
  /** What the app receives: the content of a file for `webgal-agent capability check`. */
  describe(): JsonObject;
  /**
   * Runs a capability by its whole id, as the app would. Throws `CapabilityFailure`, also for a `version` with another major
   * number than the capability has.
   */
  run(id: string, parameters: JsonObject, context?: Partial<CallContext>): Promise<JsonObject>;
  /** Connects to the app, and connects again when the connection breaks. A provider has one connection at a time. */
  connect(options?: ConnectOptions): Connection;
  /** Sends an event to the programs that subscribed to it. Without a connection the latest ones wait. */
  emit(event: string, data: JsonObject): void;
  /**
   * Offers further capabilities, or other ones under the same ids. Changes within a tenth of a second are sent together; what the
   * app refuses is not offered, and `onProblem` says why.
   */
  set(capabilities: Readonly<Record<string, Capability>>): void;
  /** Offers capabilities no more. */
  remove(ids: readonly string[]): void;
}

/**
 * Creates a provider. Throws for ids that are not valid.
 *
 *     const provider = createProvider({
 *       id: 'dice',
 *       name: 'Dice',
 *       capabilities: { roll: { type: 'context', …, run: ({ sides }) => ({ result: … }) } },
 *     });
 *     await provider.connect({ token }).ready;
 */
export function createProvider({ capabilities, ...facts }: ProviderOptions): Provider {
  checkProviderId(facts.id);
  const offered = new Map<string, Capability>();
  let connection: OwnConnection | null = null;
  const toId = (id: string) => toCapabilityId(facts.id, id);
  for (const [id, capability] of Object.entries(capabilities)) offered.set(toId(id), capability);

  const describe = (): JsonObject => ({
    provider: { id: facts.id, name: facts.name, ...(facts.version !== undefined && { version: facts.version }) },
    capabilities: [...offered].map(([id, capability]) => toOffered(id, capability)),
  });

  async function run(id: string, parameters: JsonObject, context: Partial<CallContext> = {}): Promise<JsonObject> {
    const capability = offered.get(id);
    if (capability === undefined || capability.type === 'event') {
      throw new CapabilityFailure('PROTOCOL.CAPABILITY_NOT_FOUND', `${id} is not offered.`);
    }
    refuseOtherVersion(id, { offered: capability.version, asked: context.version });
    const nothingTold = { version: null, caller: null, traceId: null, language: null };
    const { signal = new AbortController().signal, progress = () => undefined } = context;
    const requestId = context.requestId ?? crypto.randomUUID();
    return capability.run(parameters, { ...nothingTold, ...context, signal, progress, requestId });
  }

  return {
    id: facts.id,
    describe,
    run,
    connect(options = {}) {
      connection?.close();
      connection = openConnection({ describe, run, offered }, options);
      return connection;
    },
    emit: (event, data) => connection?.emit(toId(event), data),
    set(changed) {
      const entries = Object.entries(changed).map(([id, capability]) => [toId(id), capability] as const);
      for (const [id, capability] of entries) offered.set(id, capability);
      connection?.changed(entries.map(([id]) => id));
    },
    remove(ids) {
      connection?.changed(ids.map(toId).filter((id) => offered.delete(id)));
    },
  };
}

/** Throws where a call was made for another major version: it waited while the capability was replaced. */
function refuseOtherVersion(
  id: string,
  { offered = USUAL_VERSION, asked }: { offered: string | undefined; asked: string | null | undefined },
): void {
  if (typeof asked !== 'string' || toMajor(asked) === toMajor(offered)) return;
  throw new CapabilityFailure('PROTOCOL.VERSION_MISMATCH', `${id} has the version ${offered} now, not ${asked}.`);
}

function toMajor(version: string): string | undefined {
  return version.split('.')[0];
}
