import type { Payload } from '../../../shared/contract.ts';
import type { Proposal } from '../../../shared/model/proposal.ts';

/** The proposal in the page. `seq` is the last applied update; null right after a fetch. */
export interface HeldProposal {
  proposal: Proposal | null;
  seq: number | null;
}

/**
 * Inserts new files and replaces changed files by path; the others keep their identity. Returns null if an update was lost
 * or belongs to an unknown proposal: the proposal must be reloaded.
 */
export function applyProposalUpdate(
  { proposal, seq }: HeldProposal,
  update: Payload<'proposal.updated'>,
): HeldProposal | null {
  if (proposal?.id !== update.head.id || (seq !== null && update.seq !== seq + 1)) return null;
  const files = new Map(proposal.files.map((file) => [file.path, file]));
  for (const path of update.gone) files.delete(path);
  for (const file of update.files) files.set(file.path, file);
  const sorted = [...files.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  return { seq: update.seq, proposal: { ...update.head, files: sorted } };
}
