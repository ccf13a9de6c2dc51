import { type ComposedText, composePatch, readPatchTexts } from '../../../patch/compose-patch.ts';
import { toTextLines } from '../../../text/numbered-lines.ts';
import type { StepOfPlan } from '../../session/plans/plan-state.ts';
import { runCall } from '../calls/run-call.ts';
import type { TurnCancellation, TurnPorts } from '../turn-ports.ts';

/**
 * Drafts the prepared operations of a step without the model, through the same tools and rules as the model's own calls. Returns why
 * they could not be used; blank: all of them are drafted, or change nothing.
 */
export async function runOperations(
  ports: TurnPorts,
  step: StepOfPlan,
  cancellation: TurnCancellation,
): Promise<string[]> {
  const { operations } = step.patch;
  const { changes, issues } = composePatch(operations, await readPatchTexts(operations, ports.proposals.reader));
  for (const [index, change] of changes.entries()) {
    if (cancellation.reason()) return issues;
    const call = { id: `${step.step_id}:${ports.turn}:${index}`, ...toCall(change) };
    const { outcome } = await runCall(ports, call, { step: step.step_id, isCutOff: false, cancellation });
    if (!outcome.ok) return [`unread:${change.path}`];
  }
  return issues;
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
