import type { PieceRequest, ProposedFile } from '../../../shared/model/proposal.ts';
import { countPieces, type PieceChoice, toComposedLine, toEditableText } from '../../../shared/text/pieces.ts';
import { shorten } from '../../../shared/text/shorten.ts';
import type { LoggedPieces } from './session/events/piece-events.ts';

/** Pieces that are listed of one file. */
const MAX_PIECES = 60;
/** Characters of the text of one piece, and of all texts of a decision: they stay in the conversation. */
const MAX_TEXT = 1500;
const MAX_TEXTS = 9000;

type LoggedPiece = LoggedPieces['accepted'][number];

/**
 * Returns what a decision logs about the pieces of files, so that the model is told exactly what was accepted, left and changed by
 * hand. `none`: no piece of any file was accepted. The texts that the user wrote come before the others when there are too many.
 */
export function toLoggedPieces(
  files: readonly ProposedFile[],
  requests: readonly PieceRequest[] | 'none',
): LoggedPieces[] {
  const room = { left: MAX_TEXTS };
  const chosen = files.flatMap((file) => {
    if (requests === 'none') return [{ file, choice: { taken: new Set<number>(), edited: new Map() } }];
    const request = requests.find(({ path, version }) => path === file.path && version === file.version);
    if (!request) return [];
    const edited = new Map((request.edited ?? []).map(({ hunk, lines }) => [hunk, lines]));
    return [{ file, choice: { taken: new Set(request.take), edited } }];
  });
  const edits = chosen.map((each) => toEdited(each, room));
  const lefts = chosen.map((each) => toPieces(each, (index) => !each.choice.taken.has(index), room));
  return chosen.map((each, at) => {
    const { taken, edited } = each.choice;
    const accepted = toPieces(each, (index) => taken.has(index) && !edited.has(index), room);
    const lists = { accepted, edited: edits[at] ?? [], left: lefts[at] ?? [] };
    const listed = lists.accepted.length + lists.edited.length + lists.left.length;
    const more = countPieces(each.file) - listed;
    return { path: each.file.path, ...lists, ...(more > 0 && { more }) };
  });
}

interface Chosen {
  file: ProposedFile;
  choice: Required<PieceChoice>;
}

interface Room {
  left: number;
}

function toEdited({ file, choice }: Chosen, room: Room): LoggedPieces['edited'] {
  const listed = [...choice.edited].slice(0, MAX_PIECES);
  const own = listed.map(([, lines]) => toText(lines, room));
  return listed.map(([index], at) => {
    const { text: proposed } = toText(file.hunks[index]?.linesNew ?? [], room);
    return { ...toPlace({ file, choice }, index), ...own[at], ...(proposed !== undefined && { proposed }) };
  });
}

function toPieces({ file, choice }: Chosen, isListed: (index: number) => boolean, room: Room): LoggedPiece[] {
  const indexes = Array.from({ length: countPieces(file) }, (_, index) => index).filter(isListed);
  return indexes
    .slice(0, MAX_PIECES)
    .map((index) => ({ ...toPlace({ file, choice }, index), ...toText(file.hunks[index]?.linesNew ?? [], room) }));
}

function toPlace({ file, choice }: Chosen, index: number): Omit<LoggedPiece, 'text'> {
  return { line: toComposedLine(file, choice, index), removes: file.hunks[index]?.lenOld ?? 0 };
}

/** Returns lines as text while there is room for it. */
function toText(lines: readonly string[], room: Room): { text?: string } {
  const text = shorten(toEditableText(lines), MAX_TEXT);
  if (text.length > room.left) return {};
  room.left -= text.length;
  return { text };
}
