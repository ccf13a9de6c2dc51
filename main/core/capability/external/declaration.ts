import {
  DECLARATION_PARTS,
  type Declaration,
  type DeclarationPart,
} from '../../../../shared/model/external/declaration.ts';
import type { ExternalProvider, OfferedCapability } from '../../ports/providers/provider.ts';
import { toTextVersion } from '../../text/text-version.ts';
import type { Tool } from '../define-tool.ts';
import type { PolicySettings } from '../policy/policy.ts';

/** Returns a function with the digests of a declaration, computed at its first call: only tools that are allowed need them. */
export function createDeclaration(
  { id, kind, origin }: Pick<ExternalProvider, 'id' | 'kind' | 'origin'>,
  { title, name, description, parameters, type, risk, effects, hints }: OfferedCapability,
): () => Promise<Declaration> {
  const parts: Record<DeclarationPart, unknown> = {
    ...{ program: [id, kind, origin], name: [name, title], description, arguments: parameters },
    ...{ type, risk, effects: hints === undefined ? effects : [effects, hints] },
  };
  let made: Promise<Declaration> | undefined;
  return () => {
    made ??= digestAll(parts);
    return made;
  };
}

/**
 * Returns what another program changed since the user allowed its tool: the parts, or none where it is not known what was allowed.
 * Undefined if the tool is not allowed, is the app's own, or is as it was.
 */
export async function findChangedParts(
  { name, declaration }: Pick<Tool, 'name' | 'declaration'>,
  { tools, allowedAs = {} }: PolicySettings,
): Promise<readonly DeclarationPart[] | undefined> {
  if (declaration === undefined || !Object.hasOwn(tools, name) || tools[name] !== 'allow') return undefined;
  const allowed = Object.hasOwn(allowedAs, name) ? allowedAs[name] : undefined;
  if (allowed === undefined) return [];
  const changed = toChangedParts(allowed, await declaration());
  return changed.length === 0 ? undefined : changed;
}

export function toChangedParts(before: Declaration, now: Declaration): readonly DeclarationPart[] {
  return DECLARATION_PARTS.filter((part) => before[part] !== now[part]);
}

async function digestAll(parts: Record<DeclarationPart, unknown>): Promise<Declaration> {
  const digests = DECLARATION_PARTS.map(async (part) => {
    const { version } = await toTextVersion(JSON.stringify(parts[part] ?? null));
    return [part, version] as const;
  });
  return Object.fromEntries(await Promise.all(digests)) as Declaration;
}
