import type { Clock } from '../../ports/host.ts';
import type { Reader } from '../../ports/reader.ts';
import type { Draft, ProposalService } from '../../services.ts';
import type { LogEvent } from '../session/log-events.ts';
import { toLogState } from '../session/log-state.ts';
import { toProposalSteps } from '../session/plans/plan-state.ts';
import type { SessionLog } from '../session/session-log.ts';
import { toReviewEvent } from './run-turn.ts';

/**
 * Resumes a session at the end of its log: settles an interrupted acceptance by comparing with the disk, restores undecided
 * drafts and their review card, and ends an open turn. Requires an empty overlay.
 */
export async function resumeSession(
  log: SessionLog,
  { proposals, clock }: { proposals: ProposalService; clock: Clock },
): Promise<void> {
  await settleDecision(log, { proposals, clock });
  await settleStep(log, { proposals, clock });

  const state = toLogState(log.counted);
  const added: LogEvent[] = [];
  const turn = state.review?.turn ?? state.lastTurn?.turn ?? '';
  if (state.drafts.length > 0) {
    await proposals.restore({
      id: state.review?.proposal ?? clock.id(),
      turn,
      summary: state.review?.summary ?? '',
      drafts: state.drafts,
      steps: toProposalSteps(
        log.counted,
        state.drafts.flatMap(({ steps = [] }) => steps),
      ),
    });
    const proposal = proposals.current();
    if (!proposal) added.push({ t: 'proposal.empty', turn, at: clock.now() });
    else if (!state.review) added.push(toReviewEvent(proposal, { turn, at: clock.now() }));
  }
  if (state.openTurn) {
    added.push({ t: 'turn.end', turn: state.openTurn.turn, at: clock.now(), reason: 'interrupted' });
  }
  if (added.length > 0) await log.append(...added);
}

/** Logs the outcome of an acceptance during which the app ended. */
async function settleDecision(
  log: SessionLog,
  { proposals, clock }: { proposals: ProposalService; clock: Clock },
): Promise<void> {
  const { deciding, drafts, parts, review, lastTurn } = toLogState(log.counted);
  if (!deciding) return;
  const { proposal, group, paths, pieces } = deciding;
  const at = clock.now();
  const wanted = drafts
    .filter(({ path }) => paths.includes(path))
    .map((draft) => ({ ...draft, text: parts.has(draft.path) ? (parts.get(draft.path)?.text ?? null) : draft.text }));
  if (wanted.length === 0 || !(await areOnDisk(wanted, proposals.reader))) {
    await log.append({ t: 'decision', at, proposal, outcome: 'kept' });
    return;
  }
  const turn = review?.turn ?? lastTurn?.turn ?? '';
  const rests = [...parts.values()].flatMap(({ path, rest }): LogEvent[] =>
    rest === null ? [] : [{ t: 'draft', turn, at, path, ...rest }],
  );
  const waiting = [...parts.values()].filter(({ rest }) => rest !== null).map(({ path }) => path);
  await log.append(...rests, {
    ...{ t: 'decision', at, proposal, outcome: 'accepted', group, paths },
    ...(waiting.length > 0 && { waiting }),
    ...(pieces && { pieces }),
  });
}

/** Logs the outcome of a step that was being written without review when the app ended. Not written, its drafts wait for review. */
async function settleStep(
  log: SessionLog,
  { proposals, clock }: { proposals: ProposalService; clock: Clock },
): Promise<void> {
  const { writing, drafts } = toLogState(log.counted);
  if (!writing) return;
  const { turn, plan, step, transaction, paths } = writing;
  const wanted = drafts.filter(({ path }) => paths.includes(path));
  if (wanted.length === 0 || !(await areOnDisk(wanted, proposals.reader))) return;
  await log.append({ t: 'step.end', turn, at: clock.now(), plan, step, outcome: 'written', transaction, paths });
}

/** Removes line endings and byte order mark from a comparison; the writer port keeps those of the file. */
function toComparable(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}

async function areOnDisk(drafts: readonly Draft[], reader: Reader): Promise<boolean> {
  for (const { path, text } of drafts) {
    const isThere = (await reader.stat(path)) !== null;
    if (text === null && !isThere) continue;
    if (text === null || !isThere) return false;
    const file = await reader.read(path);
    if (toComparable(file.text) !== toComparable(text)) return false;
  }
  return true;
}
