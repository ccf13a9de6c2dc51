import type { Capability, JsonObject } from './types.ts';

export interface ProviderFacts {
  /** Lower-case letters and digits, divided by single dashes. The token was created for this name. */
  id: string;
  name: string;
  version?: string;
}

/** The version of a capability that names none. */
export const USUAL_VERSION = '1.0.0';
/** As the app reads it; `own` is the app itself. */
const PROVIDER = { pattern: /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, max: 64, own: 'webgal-agent' };
const SHORT_ID = /^[a-z][a-z0-9]*(?:\.[a-z][a-z0-9]*)*$/;

/** Throws for the id of a provider for which the app creates no token. */
export function checkProviderId(id: string): void {
  const { pattern, max, own } = PROVIDER;
  if (id.length <= max && pattern.test(id) && id !== own) return;
  throw new Error(`"${id}" is no valid id of a provider: lower-case letters and digits, divided by single dashes.`);
}

/** Returns the whole id of a capability: `ext.{provider without dashes}.{id}`. Throws for a name that is not valid. */
export function toCapabilityId(provider: string, id: string): string {
  if (!SHORT_ID.test(id)) throw new Error(`"${id}" is no valid id: lower-case letters and digits, divided by dots.`);
  return `ext.${provider.replaceAll('-', '')}.${id}`;
}

/** Returns what is published of a capability. What is left out is what its risk demands. */
export function toOffered(id: string, capability: Capability): JsonObject {
  const { type, name, description, version = USUAL_VERSION, risk, effects = [], tags = [] } = capability;
  const { level, reason, rollbackSupported = false, approvalRequired = false } = risk;
  const audit = level === 'low' ? 'basic' : level === 'medium' ? 'detailed' : 'full';
  const asks = approvalRequired || level === 'critical' || (level !== 'low' && !rollbackSupported) || level === 'high';
  const callable = capability.type === 'event' ? null : capability;
  const offered = {
    ...{ id, version, type, name, description, parameters: callable?.parameters ?? {}, effects, tags },
    returns: capability.returns ?? {},
    risk: {
      ...{ level, reason, rollbackSupported, approvalRequired: asks },
      ...{ snapshotRequired: level === 'high' || level === 'critical', auditLevel: audit },
    },
    ...(callable?.examples && { examples: callable.examples }),
    ...(callable?.timeoutMs !== undefined && { timeoutMs: callable.timeoutMs }),
    ...(callable?.rateLimit && { rateLimit: callable.rateLimit }),
    ...(callable?.deprecated && { deprecated: callable.deprecated }),
  };
  return JSON.parse(JSON.stringify(offered)) as JsonObject;
}
