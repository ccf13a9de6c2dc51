import type { ToolChoice } from '../../../../shared/model/capability.ts';
import type { RegisteredTool } from './tool-index.ts';

/** Most tools of other programs that are offered at a time: services take 128 tools in all, and the app's own come first. */
export const MAX_EXTERNAL_OFFERED = 80;

/** Tools of one program that are not offered, because there are too many. */
export interface LeftOut {
  provider: string;
  count: number;
}

/**
 * Returns the tools that are offered. Of those of other programs, the ones that the user allowed come first, then one of each program in
 * turn, so that no program takes the places of the others.
 */
export function limitExternal(
  entries: readonly RegisteredTool[],
  choices: Readonly<Record<string, ToolChoice>>,
): { offered: RegisteredTool[]; leftOut: LeftOut[] } {
  const external = entries.filter(({ tool }) => tool.role !== undefined);
  if (external.length <= MAX_EXTERNAL_OFFERED) return { offered: [...entries], leftOut: [] };
  const isAllowed = ({ tool }: RegisteredTool) => Object.hasOwn(choices, tool.name) && choices[tool.name] === 'allow';
  const turns = new Map<string, number>();
  const ranked = external.map((entry) => {
    const provider = entry.tool.role ?? '';
    const turn = isAllowed(entry) ? -1 : (turns.get(provider) ?? 0);
    if (turn >= 0) turns.set(provider, turn + 1);
    return { entry, turn };
  });
  const kept = new Set(
    ranked
      .sort((one, other) => one.turn - other.turn)
      .slice(0, MAX_EXTERNAL_OFFERED)
      .map(({ entry }) => entry),
  );
  const counts = new Map<string, number>();
  for (const entry of external) {
    const name = entry.tool.provider?.name ?? entry.tool.role ?? '';
    if (!kept.has(entry)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return {
    offered: entries.filter((entry) => entry.tool.role === undefined || kept.has(entry)),
    leftOut: [...counts].map(([provider, count]) => ({ provider, count })),
  };
}
