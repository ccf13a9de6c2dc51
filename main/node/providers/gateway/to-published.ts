import type { OfferedCapability } from '../../../../shared/model/capability/provider-frames.ts';
import type { OfferedCapability as Offered } from '../../../core/ports/providers/provider.ts';

/** Returns what the app lists of a capability. Events cannot be called; who subscribed to them receives them. */
export function toPublished({ id, type, ...offered }: OfferedCapability): Offered[] {
  if (type === 'event') return [];
  const { version, name: title, description, parameters, risk, timeoutMs: timeout, tags, effects } = offered;
  const { rateLimit, deprecated, returns, examples } = offered;
  const claims = { risk: risk.level, timeout, effects, returns, examples };
  const limits = { ...(rateLimit && { rateLimit }), ...(deprecated && { deprecated }) };
  return [{ ...{ name: id, id, version, type, title, description, parameters, tags }, ...claims, ...limits }];
}
