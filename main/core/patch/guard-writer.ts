import { AppError } from '../../../shared/errors.ts';
import type { Reader } from '../ports/reader.ts';
import type { GameEngine } from '../ports/workspace.ts';
import type { Change, WriteLabel, Writer } from '../ports/writer.ts';
import { currentProjectIndex } from '../project/read-project-index.ts';
import { readIfThere } from '../proposal/text-change.ts';
import { createIndexLayer } from './index-layer.ts';
import { findTextIssues, type TextChange } from './rules/text-issues.ts';
import { createUnaskedTexts, type UnaskedTexts } from './rules/unasked-texts.ts';

/** Files that an error names. */
const MAX_NAMED = 10;

export interface GuardedWriter extends Writer {
  /** What was written without review, and that the user has not agreed to since. */
  unasked: Pick<UnaskedTexts, 'before'>;
}

/**
 * Returns a writer that refuses changes of a plan's steps which need the user's word and do not have it: `E_POLICY_VIOLATION`, reason
 * `patch.blocked`, with `details.paths` and `details.issues`. Nothing is written then. What the plan says about its steps is not
 * read: the texts decide. Changes without a step pass.
 */
export function createGuardedWriter(
  writer: Writer,
  { reader, engine }: { reader: Reader; engine: () => Promise<GameEngine | undefined> },
): GuardedWriter {
  const unasked = createUnaskedTexts();
  return {
    unasked,
    async apply(changes, label) {
      const open = changes.filter(({ path, steps }) => steps?.length && !label.confirmed?.includes(path));
      // A user who accepts sees the present text beside the new one; an unasked write is measured with those before it.
      const ground = { reader, engine: await engine(), ...(label.isPending && { unasked }) };
      if (open.length > 0) requireUnblocked(await findBlocked(open, changes, ground));
      if (!label.isPending) {
        const written = await writer.apply(changes, label);
        for (const { path } of changes) unasked.agreed(path);
        return written;
      }
      return await applyUnasked(writer, { changes, label, reader, unasked });
    },
  };
}

/** Writes what the user has not agreed to, and remembers the texts before it. */
export async function applyUnasked(
  writer: Writer,
  {
    changes,
    label,
    reader,
    unasked,
  }: { changes: readonly Change[]; label: WriteLabel; reader: Reader; unasked: UnaskedTexts },
): ReturnType<Writer['apply']> {
  const befores = new Map<string, string | null>();
  for (const { path } of changes) befores.set(path, (await readIfThere(reader, path))?.text ?? null);
  const written = await writer.apply(changes, label);
  for (const { path, text } of changes) unasked.wrote(path, befores.get(path) ?? null, text);
  return written;
}

/** Returns what the rules block of each file of `open` after all `changes`, by path, as issues of a validation. */
export async function findBlocked(
  open: readonly Change[],
  changes: readonly Change[],
  { reader, engine, unasked }: { reader: Reader; engine: GameEngine | undefined; unasked?: UnaskedTexts },
): Promise<Map<string, string[]>> {
  const texts: TextChange[] = [];
  for (const { path, text } of open) {
    const there = await readIfThere(reader, path);
    const before = there?.text ?? null;
    texts.push({ path, before, after: text, first: unasked ? unasked.before(path, before) : before });
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
