import { findNamespaceFault, toProviderNamespace } from '../../../../shared/model/capability/namespace.ts';
import type { LocalText } from '../../../../shared/model/local-text.ts';

const MAX_TOOL_NAME = 64;
const MAX_ID = 160;

/** Returns the names whose choices and rules hold for every capability of a provider, and for those of all providers. */
export function toGroups(provider: string): readonly string[] {
  return [toShort(toProviderNamespace(provider).replace('.', '_')), 'ext'];
}

/**
 * Returns the id and the tool's name for a provider's own name of a capability: `ext.art.drawpicture` and `ext_art_draw_picture` for
 * `draw-picture`. Null if nothing of the name can be used. `claimed`: the id that the provider gave; `fault`: why it is refused.
 */
export function toNames(
  provider: string,
  { name, id: claimed }: { name: string; id?: string | undefined },
): { id: string; tool: string; fault: LocalText | null } | null {
  const namespace = toProviderNamespace(provider);
  const words = name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  if (words.length === 0 && claimed === undefined) return null;
  const last = words.join('');
  const id = claimed ?? `${namespace}.${/^[0-9]/.test(last) ? 'n' : ''}${last}`.slice(0, MAX_ID);
  const rest = claimed?.startsWith(`${namespace}.`) ? claimed.slice(namespace.length + 1).split('.') : words;
  const tool = toShort(`${namespace.replace('.', '_')}_${rest.join('_')}`);
  return { id, tool, fault: findNamespaceFault(id, provider) };
}

/** Cuts a name that is too long and adds a digest, so that two names stay two. */
function toShort(name: string): string {
  if (name.length <= MAX_TOOL_NAME) return name;
  let digest = 0x811c9dc5;
  for (const character of name) digest = Math.imul(digest ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return `${name.slice(0, MAX_TOOL_NAME - 8)}_${(digest >>> 0).toString(36).padStart(7, '0')}`;
}
