import type { ErrorData } from '../../../../shared/errors.ts';
import type { LayeredCode } from '../../../../shared/model/capability/layered-error.ts';
import type {
  CapabilityExample,
  CapabilityType,
  Deprecation,
  RateLimit,
} from '../../../../shared/model/capability/manifest.ts';
import type { CallOrigin } from '../../../../shared/model/capability/provider-frames.ts';
import type { RiskLevel } from '../../../../shared/model/capability/risk-matrix.ts';
import type { Permission } from '../../../../shared/model/capability.ts';

/**
 * Another program that offers capabilities. Everything that it says, also about itself, is hostile text: the core bounds names,
 * descriptions, schemas and answers, decides about risk and asks the user. A source only carries messages.
 */
export interface ExternalProvider {
  /** `ProviderName`: lower-case words divided by dashes, chosen or confirmed by the user. */
  id: string;
  /** The name that the user sees. */
  name: string;
  version?: string;
  /** `mcp`: a server of the Model Context Protocol. `gateway`: it connected to the app's own WebSocket. */
  kind: 'mcp' | 'gateway';
  /** What is started or called, as the user agreed to it; absent where the program connects by itself. */
  origin?: string;
  state(): ProviderState;
  /** What it offers now; the same array until it changed. Meaningless unless the state is `ready`. */
  capabilities(): readonly OfferedCapability[];
  /**
   * Calls a capability. Throws `AppError` only: `provider.gone` when the provider left during the call, `E_TIMEOUT` at the timeout.
   * When `signal` aborts, the provider is told; an answer that comes later is dropped. A call is sent once, never again.
   */
  call(request: ProviderCall): Promise<ProviderAnswer>;
  /** Tells the program why something that it offers was not taken on; absent where it cannot be told. */
  report?(problem: ErrorData): void;
}

export type ProviderState =
  | { status: 'off' | 'starting' | 'ready' }
  /** The user has to agree before it is started: for the first time, or again because it changed. */
  | { status: 'unconfirmed' }
  /** The provider wants the user to sign in on a page of its own. */
  | { status: 'signIn' }
  /** `retryAt`: when it is started again, in milliseconds since 1970; null: only on request. */
  | { status: 'failed'; problem: ErrorData; retryAt: number | null };

/** A capability as a provider describes it: nothing of it is trusted. */
export interface OfferedCapability {
  /** The provider's own name of it, which `call` receives. */
  name: string;
  /** The full id that the provider claims; absent: derived from the name. Refused outside of `ext.{provider}`. */
  id?: string;
  /** A semantic version; absent: counted by the app. */
  version?: string;
  type: Exclude<CapabilityType, 'event'>;
  title?: string;
  description?: string;
  /** Any JSON: the JSON Schema of the arguments. */
  parameters: unknown;
  /** The risk that it claims; raised to at least `medium`, and to the highest that it ever had. */
  risk?: RiskLevel;
  /** What it claims to touch of the machine; can only make the risk higher. */
  effects?: readonly Permission[];
  /** What else it says of itself: whether it deletes or overwrites, and whether it reaches what is outside of the program. */
  hints?: { destructive?: boolean; openWorld?: boolean };
  /** How often it wants to be called at most; used where it is stricter than the app's own limit. */
  rateLimit?: RateLimit;
  /** Milliseconds that a call may take; bounded. */
  timeout?: number;
  tags?: readonly string[];
  /** Any JSON: the JSON Schema of the data that it answers with. */
  returns?: unknown;
  examples?: readonly CapabilityExample[];
  /** It will be removed: it is not listed for models any more, and refused from its sunset on. */
  deprecated?: Deprecation;
}

export interface ProviderCall {
  /** `OfferedCapability.name`. */
  name: string;
  /** The version of the capability that was negotiated with the caller. */
  version: string;
  /** Who calls, as far as the program may know. */
  origin: CallOrigin;
  /** Arguments that fit the bounded schema. */
  input: Record<string, unknown>;
  signal: AbortSignal;
  /** Milliseconds after which the source gives the call up. */
  timeout: number;
  /** Receives what the provider says about a running call. May be called at any rate. */
  onProgress(text: string): void;
}

/** A part of an answer. Sources bound the whole answer to `MAX_ANSWER_BYTES`. */
export type ProviderContent =
  | { kind: 'text'; text: string }
  | { kind: 'media'; mediaType: string; bytes: Uint8Array; name?: string }
  | { kind: 'link'; address: string; title?: string };

export interface ProviderAnswer {
  content: readonly ProviderContent[];
  /** True if the provider says that the call failed. */
  failed: boolean;
  /** What kind of failure it says that it is; absent: a failed operation. */
  code?: LayeredCode;
  /** What was dropped because of its size, as a sentence. */
  leftOut?: string;
}

/** Most bytes of one message or answer that a source receives; the connection is closed at more. @public */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** Providers of one kind. */
export interface ProviderSource {
  /** All that the user or they themselves registered, connected or not. The same array until one came or went. */
  current(): readonly ExternalProvider[];
  /**
   * Calls `listener` after a provider came or went, and after its state or its capabilities changed; at any rate, because the
   * listener reads the present state later. Returns a function that unsubscribes.
   */
  on(listener: () => void): () => void;
}
