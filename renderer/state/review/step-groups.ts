import type { Proposal, ProposedFile } from '../../../shared/model/proposal.ts';
import type { PiecePlace } from '../../../shared/script/references/piece-dependencies.ts';
import { countPieces } from '../../../shared/text/pieces.ts';
import { type Choices, isTicked } from './piece-choices.ts';

/** The pieces that the same steps of a plan made. No steps: they come from no step. */
export interface StepGroup {
  key: string;
  steps: readonly string[];
  pieces: readonly PiecePlace[];
}

export interface StepGroups {
  /** In the order of the plan: first the pieces of one step, then those that it made with later ones. */
  groups: readonly StepGroup[];
  /** The group of a piece. */
  of(path: string, piece: number): StepGroup | undefined;
}

const known = new WeakMap<readonly ProposedFile[], StepGroups | null>();

/** Returns the pieces of a proposal by step; null if no plan drafted it. */
export function toStepGroups(proposal: Pick<Proposal, 'files' | 'steps'>): StepGroups | null {
  const before = known.get(proposal.files);
  if (before !== undefined) return before;
  const made = proposal.files.some(({ pieceSteps }) => pieceSteps) ? group(proposal) : null;
  known.set(proposal.files, made);
  return made;
}

function group({ files, steps = [] }: Pick<Proposal, 'files' | 'steps'>): StepGroups {
  const order = new Map(steps.map(({ id }, at) => [id, at]));
  const placeOf = (id: string | undefined): number =>
    id === undefined ? Number.POSITIVE_INFINITY : (order.get(id) ?? -1);
  const groups = new Map<string, StepGroup & { pieces: PiecePlace[] }>();
  const byPath = new Map<string, StepGroup[]>();
  for (const file of files) {
    const own: StepGroup[] = [];
    for (let hunk = 0; hunk < countPieces(file); hunk += 1) {
      const ids = [...(file.pieceSteps?.[hunk] ?? [])].sort((a, b) => placeOf(a) - placeOf(b));
      const key = JSON.stringify(ids);
      const found = groups.get(key) ?? { key, steps: ids, pieces: [] };
      groups.set(key, found);
      found.pieces.push({ path: file.path, hunk });
      own.push(found);
    }
    byPath.set(file.path, own);
  }
  const sorted = [...groups.values()].sort(
    (a, b) => placeOf(a.steps[0]) - placeOf(b.steps[0]) || a.steps.length - b.steps.length || (a.key < b.key ? -1 : 1),
  );
  return { groups: sorted, of: (path, piece) => byPath.get(path)?.[piece] };
}

/** Returns how many of some pieces are ticked. */
export function countTickedOf(choices: Pick<Choices, 'left'>, pieces: readonly PiecePlace[]): number {
  if (choices.left.size === 0) return pieces.length;
  return pieces.filter(({ path, hunk }) => isTicked(choices, path, hunk)).length;
}

/** A row of the list: a group, or the pieces of it in one file. */
export interface StepRow {
  key: string;
  group: StepGroup;
  /** Null for the heading of the group. */
  path: string | null;
  pieces: readonly PiecePlace[];
}

/** Returns the rows of the list of all groups and their files. */
export function toStepRows(groups: readonly StepGroup[]): StepRow[] {
  return groups.flatMap((one): StepRow[] => {
    const files = [...Map.groupBy(one.pieces, ({ path }) => path)];
    return [
      { key: one.key, group: one, path: null, pieces: one.pieces },
      ...files.map(([path, pieces]) => ({ key: `${one.key} ${path}`, group: one, path, pieces })),
    ];
  });
}
