import type { Emit } from '../../../shared/contract.ts';
import type { Proposal, ProposedFile } from '../../../shared/model/proposal.ts';

/** Minimum interval between two events while the assistant drafts. */
const PUBLISH_INTERVAL_MS = 200;

export interface ProposalPublisher {
  /** Sends the changes since the last event. With `mayWait` they are throttled and sent together with later changes. */
  publish(mayWait: boolean): void;
}

/**
 * Publishes the current proposal: a new one in full, then only new and changed files, so that the size of an event does not
 * grow with the number of earlier drafts.
 */
export function createProposalPublisher({
  current,
  emit,
}: {
  /** Unchanged files must have identical (`===`) texts and hunks in each call. */
  current: () => Proposal | null;
  emit: Emit;
}): ProposalPublisher {
  let sent: { id: string; files: ReadonlyMap<string, ProposedFile>; head: string } | null = null;
  let seq = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPending = false;

  function publishNow(): void {
    isPending = false;
    const proposal = current();
    if (proposal === null || proposal.id !== sent?.id) {
      sent = proposal && { id: proposal.id, files: toFiles(proposal), head: toHead(proposal) };
      seq = 0;
      emit('proposal.changed', { proposal });
      return;
    }
    const { files, ...head } = proposal;
    const before = sent;
    const fresh = files.filter((file) => !isSame(before.files.get(file.path), file));
    sent = { id: proposal.id, files: toFiles(proposal), head: toHead(proposal) };
    const gone = [...before.files.keys()].filter((path) => !sent?.files.has(path));
    if (fresh.length + gone.length === 0 && sent.head === before.head) return;
    seq += 1;
    emit('proposal.updated', { seq, head, files: fresh, gone });
  }

  return {
    publish(mayWait) {
      if (!mayWait) {
        clearTimeout(timer);
        timer = undefined;
        publishNow();
      } else if (timer === undefined) {
        publishNow();
        timer = setTimeout(() => {
          timer = undefined;
          if (isPending) this.publish(true);
        }, PUBLISH_INTERVAL_MS);
      } else {
        isPending = true;
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
