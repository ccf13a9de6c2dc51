import { type DryRunCause, MAX_CHECKED_PATHS, mayRunStep, type PlanStep } from '../../../shared/model/plan/patch.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import type { Reader } from '../ports/reader.ts';
import type { Transactions } from '../ports/transactions.ts';
import type { Workspace } from '../ports/workspace.ts';
import type { Change, PatchStep, WriteLabel } from '../ports/writer.ts';
import { toTextVersion } from '../text/text-version.ts';
import { type ComposedText, composePatch, type KnownText, readPatchTexts, toKnownPath } from './compose-patch.ts';

/** Checks plans without touching anything. */
export interface DryRun {
  /** Returns why a plan is only checked; null: it is carried out. */
  findCause(steps: readonly PlanStep[]): Promise<{ cause: DryRunCause; paths: string[] } | null>;
  /**
   * Records each validated step whose prepared changes fit as `validated`, composed on those before it. Returns their ids, and whether
   * the log is on the disk.
   */
  record(
    steps: readonly PlanStep[],
    toLabel: (step: PlanStep) => Omit<WriteLabel, 'origin' | 'patch'> & { patch: readonly PatchStep[] },
  ): Promise<{ checked: string[]; isKept: boolean }>;
}

export function createDryRun({
  settings,
  workspace,
  drafts,
}: {
  settings: () => Promise<Pick<Settings, 'dryRun'>>;
  workspace: Pick<Workspace, 'transactions' | 'findUnwritable'>;
  /** The disk with the drafts over it. */
  drafts: Reader;
}): DryRun {
  const { transactions } = workspace;
  return {
    async findCause(steps) {
      if ((await settings()).dryRun) return { cause: 'setting', paths: [] };
      const paths = await workspace.findUnwritable(steps.filter(mayRunStep).flatMap(toPaths));
      return paths.length > 0 ? { cause: 'readOnly', paths: paths.slice(0, MAX_CHECKED_PATHS) } : null;
    },

    async record(steps, toLabel) {
      const texts = await readPatchTexts(
        steps.flatMap(({ patch }) => patch.operations),
        drafts,
      );
      const checked: string[] = [];
      for (const step of steps) {
        const { operations } = step.patch;
        if (!mayRunStep(step) || operations.length === 0) continue;
        const { changes, issues } = composePatch(operations, texts);
        if (issues.length > 0) continue;
        await transactions.validate(changes.map(toChange), { ...toLabel(step), origin: 'agent' });
        await lay(texts, changes);
        checked.push(step.step_id);
      }
      return { checked, isKept: await isKept(transactions) };
    },
  };
}

function toPaths({ patch }: PlanStep): string[] {
  const named = [
    patch.metadata.resource_id,
    ...patch.operations.flatMap((one) => [one.path, 'to' in one ? one.to : one.path]),
  ];
  const files = named.flatMap((path) => (path?.includes('/') ? (toKnownPath(path) ?? []) : []));
  return [...new Set(files)];
}

function toChange({ path, after, base }: ComposedText): Change {
  return { path, text: after, base };
}

/** Gives the next step the texts of this one, with the versions that they would have on the disk. */
async function lay(texts: Map<string, KnownText | undefined>, changes: readonly ComposedText[]): Promise<void> {
  for (const { path, after } of changes) {
    texts.set(path, { text: after, version: after === null ? null : (await toTextVersion(after)).version });
  }
}

async function isKept(transactions: Transactions): Promise<boolean> {
  return (await transactions.read()).unwritten === 0;
}
