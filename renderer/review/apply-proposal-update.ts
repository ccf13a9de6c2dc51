import type { Payload } from '../../shared/contract.ts';
import type { Proposal } from '../../shared/model/proposal.ts';

/** The proposal as the page holds it. `seq` is the last update seen; null right after the whole was fetched. */
export interface HeldProposal {
  proposal: Proposal | null;
  seq: number | null;
}

/**
 * Puts files that are new or different in place, by path; the others stay the same objects. Null when an update was
 * missed, or is about a proposal that the page does not have: the whole has to be read.
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
