import type { Emit } from '../../../shared/contract.ts';
import type { Proposal, ProposedFile } from '../../../shared/model/proposal.ts';

/** While the assistant drafts, pages are told at most this often, in milliseconds. */
const TOLD_EVERY_MS = 200;

export interface ProposalPublisher {
  /** Tells pages what differs from what they were told last; with `mayWait` together with what follows at once. */
  tell(mayWait: boolean): void;
}

/**
 * Tells pages of the proposal on the desk: of another one whole, of the same one the files that are new or different. What
 * a draft costs to send does not grow with those before it.
 */
export function createProposalPublisher({
  current,
  emit,
}: {
  /** Files that did not change have the same texts and hunks, by identity. */
  current: () => Proposal | null;
  emit: Emit;
}): ProposalPublisher {
  let told: { id: string; files: ReadonlyMap<string, ProposedFile>; head: string } | null = null;
  let seq = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waits = false;

  function tellNow(): void {
    waits = false;
    const proposal = current();
    if (proposal === null || proposal.id !== told?.id) {
      told = proposal && { id: proposal.id, files: toFiles(proposal), head: toHead(proposal) };
      seq = 0;
      emit('proposal.changed', { proposal });
      return;
    }
    const { files, ...head } = proposal;
    const before = told;
    const fresh = files.filter((file) => !isSame(before.files.get(file.path), file));
    told = { id: proposal.id, files: toFiles(proposal), head: toHead(proposal) };
    const gone = [...before.files.keys()].filter((path) => !told?.files.has(path));
    if (fresh.length + gone.length === 0 && told.head === before.head) return;
    seq += 1;
    emit('proposal.updated', { seq, head, files: fresh, gone });
  }

  return {
    tell(mayWait) {
      if (!mayWait) {
        clearTimeout(timer);
        timer = undefined;
        tellNow();
      } else if (timer === undefined) {
        tellNow();
        timer = setTimeout(() => {
          timer = undefined;
          if (waits) this.tell(true);
        }, TOLD_EVERY_MS);
      } else {
        waits = true;
      }
    },
  };
}

const toFiles = ({ files }: Proposal): Map<string, ProposedFile> => new Map(files.map((file) => [file.path, file]));

const toHead = ({ files: _files, ...head }: Proposal): string => JSON.stringify(head);

function isSame(before: ProposedFile | undefined, now: ProposedFile): boolean {
  if (!before) return false;
  const keys = new Set([...Object.keys(before), ...Object.keys(now)]) as Set<keyof ProposedFile>;
  return [...keys].every((key) => before[key] === now[key]);
}
