import type { ProviderSource } from './provider.ts';

/** An event of another program. Its data is hostile text. */
export interface ProviderEvent {
  provider: string;
  eventId: `ext.${string}`;
  data: Record<string, unknown>;
}

/**
 * How a provider is connected. `waiting`: its connection broke, and it may still come back. `slow`: it is late, or not healthy.
 * `throttled`: it sends more than is read, and is read slowly.
 */
export interface ProviderConnection {
  provider: string;
  health: 'ready' | 'slow' | 'throttled' | 'waiting';
  /** Calls under way. */
  calls: number;
  /** What the provider says about its health. */
  note?: string;
}

/** A token that lets one provider connect. The token itself is shown once and not stored. */
export interface ProviderToken {
  provider: string;
  /** Milliseconds since 1970. */
  createdAt: number;
}

/** Lets other programs on this machine offer capabilities over a WebSocket: loopback, a port of its own, one token for each. */
export interface ProviderGateway extends ProviderSource {
  /** Resolves when it listens. Throws `E_IO`. */
  start(onEvent: (event: ProviderEvent) => void): Promise<{ url: string; close(): Promise<void> }>;
  connections(): ProviderConnection[];
  tokens(): Promise<ProviderToken[]>;
  /** Returns a new token for a provider; an earlier one of it is not valid any more. Throws `E_BAD_ARGS`, `E_TOO_LARGE`. */
  createToken(provider: string): Promise<string>;
  /** Removes the token of a provider and disconnects it. */
  removeToken(provider: string): Promise<void>;
}
