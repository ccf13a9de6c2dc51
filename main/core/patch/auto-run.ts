import type { PlanStep } from '../../../shared/model/plan/patch.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import { toNeededPermission } from '../capability/catalog/to-manifest.ts';
import type { Tool } from '../capability/define-tool.ts';
import { decideStrictest } from '../capability/policy/decide-strictest.ts';
import type { PolicySource } from '../capability/policy/policy-source.ts';
import type { Reader } from '../ports/reader.ts';
import type { Transactions } from '../ports/transactions.ts';
import type { GameEngine } from '../ports/workspace.ts';
import type { Change, WriteLabel } from '../ports/writer.ts';
import type { Buffers, Draft, StepWrite } from '../services.ts';
import { type ComposedText, composePatch, readPatchTexts } from './compose-patch.ts';
import type { UnaskedTexts } from './rules/unasked-texts.ts';
import { toIssue } from './to-issue.ts';
import { validatePlan } from './validate-plan.ts';

/** The tools that draft prepared operations of a step that may run alone. */
const WRITING_TOOLS: ReadonlySet<string> = new Set(['write_to_file', 'replace_lines', 'insert_at_line']);

/** Decides what is written without review. */
export interface AutoRun {
  /** True if the user chose it. */
  isOn(): Promise<boolean>;
  /**
   * Validates a step anew, on the disk instead of the drafts, and records it as `validated`. Returns why its drafts need a review: it is
   * not `safe_auto` there, a rule asks or denies, the user has unsaved text, or the drafts are others than what was validated.
   */
  validate(
    step: PlanStep,
    drafts: readonly Draft[],
    label: Omit<WriteLabel, 'origin'>,
  ): ReturnType<StepWrite['validate']>;
}

export function createAutoRun(options: {
  settings: () => Promise<Pick<Settings, 'autoRun' | 'dryRun'>>;
  tools: readonly Tool[];
  policy: PolicySource;
  buffers: Pick<Buffers, 'all'>;
  /** The disk. */
  reader: Reader;
  engine: GameEngine;
  transactions: Pick<Transactions, 'validate'>;
  unasked: Pick<UnaskedTexts, 'before'>;
}): AutoRun {
  const { policy, buffers, reader, engine, transactions, unasked } = options;

  /** A question or a refusal for one of the tools holds here, too: a write is more than a draft. */
  async function findRule(paths: readonly string[]): Promise<string | null> {
    await policy.refresh();
    for (const tool of options.tools) {
      if (!WRITING_TOOLS.has(tool.name)) continue;
      const { name, permissions, risk, inPlan, governedBy = [] } = tool;
      const current = policy.current();
      const request = {
        ...{ tool: name, permissions, risk, inPlan, mode: 'act' as const, paths, canAsk: true },
        ...{ needed: toNeededPermission(tool, permissions), role: current.roles.assistant },
      };
      if (decideStrictest(request, governedBy, current).effect !== 'ALLOW') return name;
    }
    return null;
  }

  function findUnsaved(changes: readonly ComposedText[]): string | undefined {
    const unsaved = buffers.all();
    return changes.find(({ path, before }) => unsaved.has(path) && unsaved.get(path) !== before)?.path;
  }

  return {
    async isOn() {
      const { autoRun, dryRun } = await options.settings();
      return autoRun && !dryRun;
    },

    async validate(step, drafts, label) {
      const rule = await findRule(drafts.map(({ path }) => path));
      if (rule !== null) return { issues: [toIssue('rules', rule)] };
      const [valid] = await validatePlan([step], { reader, engine, unasked });
      if (valid?.validation.execution_tier !== 'safe_auto') return { issues: valid?.validation.errors ?? [] };
      const { operations } = step.patch;
      const { changes: texts } = composePatch(operations, await readPatchTexts(operations, reader));
      if (!areSame(texts, drafts)) return { issues: [] };
      const unsaved = findUnsaved(texts);
      if (unsaved !== undefined) return { issues: [toIssue('unsaved', unsaved)] };
      const changes = texts.map(({ path, after: text, base }): Change => ({ path, text, base }));
      return { changes, transaction: await transactions.validate(changes, { ...label, origin: 'agent' }) };
    },
  };
}

/** True if the drafts are the composed texts. Tools may change line endings, which the writer keeps as the file has them. */
function areSame(texts: readonly ComposedText[], drafts: readonly Draft[]): boolean {
  const drafted = new Map(drafts.map(({ path, text }) => [path, toComparable(text)]));
  return texts.length === drafted.size && texts.every(({ path, after }) => drafted.get(path) === toComparable(after));
}

function toComparable(text: string | null): string | null {
  return text === null ? null : text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}
