import { toUndonePaths } from '../../session/events/counted-events.ts';
import type { LoggedPieces } from '../../session/events/piece-events.ts';
import type { LogEvent, LogEventOf } from '../../session/log-events.ts';
import { quoteForPrompt } from '../prompt-text.ts';

type Decision = LogEventOf<'decision'>;

/**
 * Returns a decision of the user as sentences for the model; null if nothing changed. `since`: the events since the user's last message,
 * of which the decision is the one at `index`. Texts of the game and of the user are quoted as JSON. Pure.
 */
export function toDecisionFact(event: Decision, since: readonly LogEvent[], index: number): string | null {
  if (event.outcome === 'accepted') return toAcceptedFact(event, since.slice(index + 1));
  if (event.outcome === 'rejected') return toRejectedFact(event);
  if (event.outcome !== 'replaced') return null;
  const isRest = since
    .slice(0, index)
    .some(
      (earlier) => earlier.t === 'decision' && earlier.outcome === 'accepted' && earlier.proposal === event.proposal,
    );
  const what = isRest ? 'The rest of your proposal' : 'Your proposal';
  return `${what} is still open and nothing of it is on disk. Your tools see the drafts; further edits continue them.`;
}

/**
 * `later`: the events after it. The first one names what still waits after a part was accepted; others may say that the change was undone,
 * and then nothing of it is said to be on the disk. Time passes before a message is read, so that “now” would not hold.
 */
function toAcceptedFact({ paths = [], waiting = [], pieces = [] }: Decision, later: readonly LogEvent[]): string {
  const [next] = later;
  const rest = next?.t === 'proposal.open' ? next.files.map(({ path }) => path) : [];
  const undone = toUndonePaths(later);
  const whole = paths.filter((path) => !waiting.includes(path) && !undone.has(path));
  const sentences = [
    whole.length > 0
      ? `The user accepted. Written to the files: ${quoteForPrompt(whole)}.`
      : waiting.length === 0 && 'The user accepted, and undid it since.',
    waiting.length > 0 &&
      `The user accepted only a part of your changes to ${quoteForPrompt(waiting)}: the rest of them is NOT on disk.`,
    pieces.length > 0 && `What the user chose, change by change: ${quoteForPrompt(pieces.map(toToldPieces))}.`,
    pieces.some(({ edited }) => edited.length > 0) &&
      'Where the user changed your lines by hand, the user’s lines were written: keep them unless the user asks for something else.',
    rest.length === 0
      ? 'Nothing else of the proposal is open.'
      : `Not on disk, still waiting for the user as your drafts: ${quoteForPrompt(rest)}.`,
    'Read a file again before you change it.',
  ];
  return sentences.filter((sentence) => sentence !== false).join(' ');
}

function toRejectedFact({ isRest, pieces = [] }: Decision): string {
  if (!isRest) {
    return 'The user REJECTED your proposal. NO file was modified; your drafts are gone and every file is as it was.';
  }
  const what = pieces.length > 0 ? `: ${quoteForPrompt(pieces.map(toToldPieces))}` : '';
  return `The user REJECTED what still waited of your proposal${what}. None of that was written, and your drafts are gone. What the user accepted before is not touched by that.`;
}

/** Returns the pieces of a file with names that say what they mean to the model. */
function toToldPieces({ path, accepted, edited, left, more }: LoggedPieces): Record<string, unknown> {
  return {
    path,
    ...(accepted.length > 0 && { accepted: accepted.map(toToldPiece) }),
    ...(edited.length > 0 && {
      changedByUser: edited.map(({ proposed, ...piece }) => ({
        ...toToldPlace(piece),
        ...(proposed !== undefined && { yourLines: proposed }),
        ...(piece.text !== undefined && { linesOfUser: piece.text }),
      })),
    }),
    ...(left.length > 0 && { notAccepted: left.map(toToldPiece) }),
    ...(more !== undefined && { changesNotListed: more }),
  };
}

type Piece = LoggedPieces['accepted'][number];

const toToldPlace = ({ line, removes }: Piece) => ({ line, ...(removes > 0 && { removesLines: removes }) });

const toToldPiece = (piece: Piece) => ({
  ...toToldPlace(piece),
  ...(piece.text !== undefined && { lines: piece.text }),
});
