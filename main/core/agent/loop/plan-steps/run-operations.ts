import { type ComposedText, composePatch, readPatchTexts } from '../../../patch/compose-patch.ts';
import { toTextLines } from '../../../text/numbered-lines.ts';
import type { StepOfPlan } from '../../session/plans/plan-state.ts';
import { runCall } from '../calls/run-call.ts';
import type { TurnCancellation, TurnPorts } from '../turn-ports.ts';

/** `unfit`: why they could not be used. `stopped`: some may be drafted. */
export type OperationsOutcome = { kind: 'drafted' | 'stopped' | 'unfit'; issues: string[] };

/**
 * Drafts the prepared operations of a step without the model, through the same tools and rules as the model's own calls. `drafted`: all
 * of them are, or change nothing.
 */
export async function runOperations(
  ports: TurnPorts,
  step: StepOfPlan,
  cancellation: TurnCancellation,
): Promise<OperationsOutcome> {
  const { operations } = step.patch;
  const { changes, issues } = composePatch(operations, await readPatchTexts(operations, ports.proposals.reader));
  if (issues.length > 0) return { kind: 'unfit', issues };
  // Broken off in between, a renamed file is there twice and not lost.
  const ordered = [...changes.filter(({ after }) => after !== null), ...changes.filter(({ after }) => after === null)];
  for (const [index, change] of ordered.entries()) {
    if (cancellation.reason()) return { kind: 'stopped', issues };
    const call = { id: `${step.step_id}:${ports.turn}:${index}`, ...toCall(change) };
    const { outcome } = await runCall(ports, call, { step: step.step_id, isCutOff: false, cancellation });
    if (!outcome.ok) {
      const { error } = outcome;
      return { kind: 'unfit', issues: [`${change.path}: ${error?.message ?? 'It could not be changed.'}`] };
    }
  }
  return { kind: 'drafted', issues };
}

/** Returns the call that drafts a text: only the lines that differ, so that the row and the review show no more than that. */
function toCall({ path, before, after, base }: ComposedText): { name: string; input: Record<string, unknown> } {
  if (after === null) return { name: 'delete_file', input: { path } };
  if (before === null) return { name: 'write_to_file', input: { path, content: after, mode: 'overwrite' } };
  const [old, now] = [toTextLines(before), toTextLines(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old[old.length - 1 - end] === now[now.length - 1 - end])
    end += 1;
  const content = now.slice(start, now.length - end).join('\n');
  const to = old.length - end;
  const input = { path, version: base, content: content === '' && now.length - end > start ? '\n' : content };
  if (to > start) return { name: 'replace_lines', input: { ...input, from: start + 1, to } };
  return { name: 'insert_at_line', input: { ...input, line: start } };
}
