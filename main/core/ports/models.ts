import type { ModelPrice } from '../../../shared/model/cost/price.ts';
import type { Usage } from '../../../shared/model/cost/usage.ts';
import type { ModelLimits, ProviderId } from '../../../shared/model/settings.ts';

/** The provider and model that wrote a message. */
export interface ModelIdentity {
  provider: ProviderId;
  model: string;
}

/** A message in the format of `ai`, kept verbatim: some providers reject a history without its reasoning parts. */
export interface ModelMessage {
  role: 'user' | 'assistant' | 'tool';
  content: unknown;
  providerOptions?: unknown;
  /** Who wrote an assistant's message, if known: signed parts are sent back to their author only. */
  by?: ModelIdentity;
}

export interface ModelTool {
  name: string;
  description: string;
  /** The JSON Schema of the arguments. */
  inputSchema: Record<string, unknown>;
}

export interface ModelRequest {
  instructions: string;
  messages: readonly ModelMessage[];
  tools: readonly ModelTool[];
  signal: AbortSignal;
}

export interface ModelToolCall {
  id: string;
  name: string;
  /** Parsed JSON; undefined if the model sent invalid JSON (`invalid` then has the reason). */
  input: unknown;
  invalid?: string;
}

/** An event of one model step. `error` is the last event. `done.messages` are the messages to add to the history. */
export type ModelEvent =
  | { kind: 'text'; text: string }
  | { kind: 'thinking'; text: string }
  /** The model writes a call, which follows as `call` when the step has ended well. */
  | { kind: 'writing' }
  | { kind: 'call'; call: ModelToolCall }
  | { kind: 'done'; messages: ModelMessage[]; finish: string; usage: Usage }
  /**
   * `problem` is a key of `errors:model.*`. `retryable`: no output was sent yet and the same request may succeed later;
   * `retryAfter`: milliseconds after which the provider wants it. `usage`: where the service counted a useless answer, such as a blank one.
   */
  | { kind: 'error'; problem: string; detail: string; retryable: boolean; retryAfter?: number; usage?: Usage };

/** A model bound to one session. Never throws; failures are `error` events, and the caller retries. */
export interface Model {
  /** Absent for a scripted model. */
  identity?: ModelIdentity;
  /** Absent for a scripted model. */
  limits?: ModelLimits;
  /** Absent for a scripted model. */
  price?: ModelPrice;
  /** Whether it sees pictures; null or absent: unknown. */
  sees?: boolean | null;
  /** Ends the request when the reader stops early. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}

export interface Models {
  /** Returns the configured model. Throws `E_UNSUPPORTED` with reason `model.noProvider` or `model.noKey`. */
  current(): Promise<Model>;
  /**
   * Returns the model for titles and summaries: the fast one of the settings or the catalogue, else the configured one. Throws
   * as `current`.
   */
  fast(): Promise<Model>;
  test(
    provider: ProviderId,
  ): Promise<
    { status: 'ok'; model: string; milliseconds: number } | { status: 'failed'; problem: string; detail: string }
  >;
}
