import type { LanguageModel } from 'ai';
import { AppError } from '../../../shared/errors.ts';
import { toModelPrice } from '../../../shared/model/cost/price-catalog.ts';
import { toModelReason } from '../../../shared/model/model-problem.ts';
import { isCatalogueOrigin, toProviderAddress } from '../../../shared/model/provider-address.ts';
import { toModelLimits, toModelSight, toProviderFacts } from '../../../shared/model/provider-catalog.ts';
import type { ProviderId, Settings, ThinkingEffort } from '../../../shared/model/settings.ts';
import type { Model, ModelEvent, Models } from '../../core/ports/models.ts';
import { toModelAddress } from '../../network/allowed-addresses.ts';
import { createModelFetch, type Fetch } from '../../network/requests.ts';
import type { KeyAt } from '../app-data/secrets.ts';
import type { Connection } from './language-model.ts';
import { toRedacted } from './redact.ts';
import type { StepTimeouts } from './silence-timer.ts';

export interface ModelsOptions {
  settings: { read(): Promise<Settings> };
  /** The only place where a key is read; returns only a key that was entered for `origin`. */
  secrets: { get(provider: ProviderId, origin: string): Promise<KeyAt> };
  /** The host's own, where it supports proxies and certificates. */
  fetch?: Fetch;
  timeouts?: StepTimeouts;
}

const TIMEOUTS: StepTimeouts = { firstChunk: 90_000, chunk: 60_000, answer: 300_000 };
const CLAUDE_MAX_OUTPUT_TOKENS = 32_000;
const TEST_TIMEOUTS: StepTimeouts = { firstChunk: 30_000, chunk: 30_000 };

/** Creates models over the network. A key is read from the keychain and sent only in a request header. */
export function createModels(options: ModelsOptions): Models {
  const { settings, secrets, timeouts = TIMEOUTS } = options;
  const kept = new Map<'main' | 'fast', KeptModel>();

  async function connect(provider: ProviderId, role: 'main' | 'fast' = 'main'): Promise<Connection> {
    const facts = toProviderFacts(provider);
    const { choices } = await settings.read();
    const choice = choices[provider];
    const baseUrl = toModelAddress(toProviderAddress(provider, choices));
    const main = choice?.model || facts.models[0]?.id || '';
    // The fast model of the catalogue exists at the provider's own address only.
    const standard = isCatalogueOrigin(provider, new URL(baseUrl).origin) ? facts.fastModel : null;
    const model = ((role === 'fast' ? (choice?.fastModel ?? standard) : '') || main).trim();
    if (model === '') {
      throw new AppError('E_UNSUPPORTED', 'No model is chosen.', { reason: toModelReason('noModel') });
    }
    const key = await readKey(secrets, { provider, needsKey: facts.needsKey, baseUrl }).catch((error: unknown) => {
      // A key that was removed must not stay in memory.
      kept.clear();
      throw error;
    });
    return { provider, baseUrl, model, key, fetch: createModelFetch(baseUrl, options.fetch) };
  }

  async function open(role: 'main' | 'fast'): Promise<Model> {
    const { provider, choices } = await settings.read();
    if (provider === null) {
      throw new AppError('E_UNSUPPORTED', 'No service is chosen yet.', {
        hint: 'Choose one in the settings.',
        reason: toModelReason('noProvider'),
      });
    }
    const connection = await connect(provider, role);
    const choice = choices[provider];
    // For a Claude that it does not list by name the SDK otherwise allows only a few pages.
    const standard = provider === 'anthropic' ? CLAUDE_MAX_OUTPUT_TOKENS : undefined;
    const maxOutputTokens = choice?.limits?.[connection.model]?.output ?? standard;
    const limits = toModelLimits(provider, connection.model, choice?.limits);
    // A title needs no long thinking, but not every fast model accepts an effort.
    const effort = role === 'main' ? choice?.effort : undefined;
    const step = { timeouts, ...(maxOutputTokens !== undefined && { maxOutputTokens }), ...(effort && { effort }) };
    const price = toModelPrice(connection, choice?.prices);
    const sees = toModelSight(provider, connection.model, choice?.limits);
    return { ...(await toModel(connection, step, { kept, role })), limits, price, sees };
  }

  return {
    current: () => open('main'),
    fast: () => open('fast'),
    async test(provider) {
      const began = Date.now();
      let key = '';
      try {
        const connection = await connect(provider);
        key = connection.key;
        const model = await toModel(connection, { timeouts: TEST_TIMEOUTS, maxOutputTokens: 256 });
        for await (const event of model.stream({
          instructions: 'Answer with the single word OK.',
          messages: [{ role: 'user', content: 'OK?' }],
          tools: [],
          signal: AbortSignal.timeout(60_000),
        })) {
          // A reasoning model may spend its few tokens before any text: it answered all the same.
          if (event.kind === 'text' || event.kind === 'thinking' || event.kind === 'done') {
            return { status: 'ok', model: connection.model, milliseconds: Date.now() - began };
          }
          if (event.kind === 'error') return { status: 'failed', problem: event.problem, detail: event.detail };
        }
        return { status: 'failed', problem: 'timeout', detail: 'No answer within a minute.' };
      } catch (error) {
        const { toClassifiedError } = await import('./classify-error.ts');
        const { problem, detail } = toClassifiedError(error);
        return { status: 'failed', problem, detail: toRedacted(detail, [key]) };
      }
    },
  };
}

/** Returns the key that was entered for an address; empty when the provider needs none. Throws `E_UNSUPPORTED`. */
async function readKey(
  secrets: ModelsOptions['secrets'],
  { provider, needsKey, baseUrl }: { provider: ProviderId; needsKey: boolean; baseUrl: string },
): Promise<string> {
  const kept = await secrets.get(provider, new URL(baseUrl).origin);
  if (kept.kind === 'elsewhere') {
    throw new AppError('E_UNSUPPORTED', 'The key was entered for another address, so it was not sent.', {
      hint: 'Enter the key for this address in the settings.',
      reason: toModelReason('keyElsewhere'),
    });
  }
  const key = kept.kind === 'key' ? kept.key : '';
  if (needsKey && key === '') {
    throw new AppError('E_UNSUPPORTED', 'There is no key for this service.', {
      hint: 'Enter one in the settings.',
      reason: toModelReason('noKey'),
    });
  }
  if (/[^\x21-\x7e]/.test(key)) {
    throw new AppError('E_UNSUPPORTED', 'The key contains characters that are not valid in a key.', {
      reason: toModelReason('key'),
    });
  }
  return key;
}

/** Returns the error without the key. A service that needs one and got none has not refused it. */
function toShownError(event: Extract<ModelEvent, { kind: 'error' }>, key: string): ModelEvent {
  const problem = event.problem === 'key' && key === '' ? 'noKey' : event.problem;
  return { ...event, problem, detail: toRedacted(event.detail, [key]) };
}

type Sdk = Awaited<ReturnType<typeof importSdk>>;
let sdk: Promise<Sdk> | null = null;

/**
 * Loads the libraries of the providers when a model is needed: they are most of the app's code, and no start needs them. Kept, because
 * also a repeated import takes its time before each request.
 */
function loadSdk(): Promise<Sdk> {
  sdk ??= importSdk().catch((error: unknown) => {
    sdk = null;
    throw error;
  });
  return sdk;
}

async function importSdk() {
  const [models, steps] = await Promise.all([import('./language-model.ts'), import('./stream-step.ts')]);
  return { models, steps };
}

/** The SDK's model of the last connection. */
interface KeptModel {
  /** Changes with the connection. */
  id: string;
  connect: (onBytes: () => void) => LanguageModel;
}

/** `keep`: takes the SDK's model from the last call with the same connection, and keeps it. */
async function toModel(
  connection: Connection,
  step: { timeouts: StepTimeouts; maxOutputTokens?: number; effort?: ThinkingEffort },
  keep?: { kept: Map<'main' | 'fast', KeptModel>; role: 'main' | 'fast' },
): Promise<Model> {
  const { provider, baseUrl, model, key } = connection;
  const { models, steps } = await loadSdk();
  const identity = { provider, model };
  const id = JSON.stringify([provider, baseUrl, model, key]);
  const before = keep?.kept.get(keep.role);
  const connect = before?.id === id ? before.connect : models.createConnectedModel(connection);
  keep?.kept.set(keep.role, { id, connect });
  return {
    identity,
    async *stream(request): AsyncGenerator<ModelEvent> {
      for await (const event of steps.streamStep({ connect, identity, request, ...step })) {
        yield event.kind === 'error' ? toShownError(event, key) : event;
      }
    },
  };
}
