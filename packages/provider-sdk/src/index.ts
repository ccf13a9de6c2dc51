export type { Connection, ConnectOptions } from './connection.ts';
export { createProvider, type Provider, type ProviderOptions } from './create-provider.ts';
export {
  type CallableCapability,
  type CallContext,
  type CallerKind,
  type Capability,
  CapabilityFailure,
  type EventCapability,
  type FailureCode,
  type Json,
  type JsonObject,
  type JsonSchema,
  type Risk,
} from './types.ts';
