import { z } from 'zod';
import { refusalText } from '../../i18n/refusals.ts';
import type { LocalText } from '../local-text.ts';

/** The provider of the app's own capabilities. */
export const OWN_PROVIDER = 'webgal-agent';

/** The namespaces of the app's own capabilities. */
const OWN_NAMESPACES = ['project', 'script', 'stage', 'history', 'agent', 'app'] as const;

/** Namespaces of the protocol itself, which no provider may use. */
const RESERVED_NAMESPACES = ['mcp', 'system', 'internal'] as const;

/** The namespace of all other providers: `ext.{provider}.*`. */
const EXTERNAL_NAMESPACE = 'ext';

/** Dotted, nouns first: `project.file.write`. */
const ID = { pattern: /^[a-z][a-z0-9]*(?:\.[a-z][a-z0-9]*)*$/, max: 160 };
export const CapabilityId = z.string().max(ID.max).regex(ID.pattern);

const NAME = { pattern: /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, max: 64 };
export const ProviderName = z.string().max(NAME.max).regex(NAME.pattern);

/** Returns the namespace that a provider must use. Ids of capabilities have no dashes, so those of its name are left out. */
export function toProviderNamespace(provider: string): string {
  return `${EXTERNAL_NAMESPACE}.${provider.replaceAll('-', '')}`;
}

/** Returns why a provider may not declare a capability with this id, as the end of a sentence; null if it may. */
export function findNamespaceFault(id: string, provider: string): LocalText | null {
  // Not with the schemas: each of a thousand ids is checked three times while programs connect.
  if (!fits(provider, NAME)) return refusalText('namespace.provider', { name: provider.slice(0, 64) });
  if (!fits(id, ID)) {
    return refusalText('namespace.id', { id: id.slice(0, 160) });
  }
  const [first = '', ...rest] = id.split('.');
  if (provider === OWN_PROVIDER) {
    const isOwn = OWN_NAMESPACES.some((name) => name === first) && rest.length >= 2;
    return isOwn ? null : refusalText('namespace.own', { id });
  }
  if ([...RESERVED_NAMESPACES, ...OWN_NAMESPACES].some((name) => name === first)) {
    return refusalText('namespace.reserved', { name: first });
  }
  const own = toProviderNamespace(provider);
  return id.startsWith(`${own}.`) ? null : refusalText('namespace.outside', { id, own });
}

function fits(text: string, { pattern, max }: { pattern: RegExp; max: number }): boolean {
  return text.length <= max && pattern.test(text);
}
