import { AppError } from '../../../shared/errors.ts';
import type { Reader } from '../ports/reader.ts';
import type { GameEngine } from '../ports/workspace.ts';
import type { Change, Writer } from '../ports/writer.ts';
import { currentProjectIndex } from '../project/read-project-index.ts';
import { readIfThere } from '../proposal/text-change.ts';
import { createIndexLayer } from './index-layer.ts';
import { findTextIssues, type TextChange } from './text-issues.ts';

/** Files that an error names. */
const MAX_NAMED = 10;

/**
 * Returns a writer that refuses changes of a plan's steps which need the user's word and do not have it: `E_POLICY_VIOLATION`, reason
 * `patch.blocked`, with `details.paths` and `details.issues`. Nothing is written then. What the plan says about its steps is not
 * read: the texts decide. Changes without a step pass.
 */
export function createGuardedWriter(
  writer: Writer,
  { reader, engine }: { reader: Reader; engine: () => Promise<GameEngine | undefined> },
): Writer {
  return {
    async apply(changes, label) {
      const open = changes.filter(({ path, steps }) => steps?.length && !label.confirmed?.includes(path));
      if (open.length > 0) requireUnblocked(await findBlocked(open, changes, { reader, engine: await engine() }));
      return writer.apply(changes, label);
    },
  };
}

/** Returns what the rules block of each file of `open` after all `changes`, by path, as issues of a validation. */
export async function findBlocked(
  open: readonly Change[],
  changes: readonly Change[],
  { reader, engine }: { reader: Reader; engine: GameEngine | undefined },
): Promise<Map<string, string[]>> {
  const texts: TextChange[] = [];
  for (const { path, text } of open) {
    const there = await readIfThere(reader, path);
    texts.push({ path, before: there?.text ?? null, after: text });
  }
  const index = await currentProjectIndex(reader, engine);
  const layer = createIndexLayer(index);
  const blocked = new Map<string, string[]>();
  try {
    for (const { path, text } of changes) layer.lay(path, text);
    for (const change of texts) {
      const { errors, placeholders } = findTextIssues([change], index);
      const issues = [...errors, ...placeholders.map((name) => `placeholder:${name}`)];
      if (issues.length > 0) blocked.set(change.path, issues);
    }
  } finally {
    layer.restore();
  }
  return blocked;
}

function requireUnblocked(blocked: ReadonlyMap<string, readonly string[]>): void {
  if (blocked.size === 0) return;
  const paths = [...blocked.keys()];
  const issues = [...blocked.values()].flat();
  throw new AppError(
    'E_POLICY_VIOLATION',
    `The plan needs the user's word for ${paths.slice(0, MAX_NAMED).join(', ')}.`,
    {
      details: { paths: paths.slice(0, MAX_NAMED), issues: issues.slice(0, MAX_NAMED) },
      hint: 'Look at the named places and accept them by name, or change them. Nothing was written.',
      reason: 'patch.blocked',
    },
  );
}
