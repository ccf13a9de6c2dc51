import type { Input } from '../../../shared/contract.ts';
import type { ProposedFile } from '../../../shared/model/proposal.ts';

/** What the user accepts, and the files of the proposal at that time. */
export interface AcceptedPart {
  request: Input<'proposal.accept'>;
  files: readonly Pick<ProposedFile, 'path' | 'version'>[];
}

/** The user's word for files of a plan whose changes need it. It covers the part that was refused, and no other. */
export interface Confirmation {
  refused: string;
  paths: string[];
}

/** Returns the word for `paths`, which a refusal of `part` named, and for those that `part` has it for already. */
export function toConfirmation(part: AcceptedPart, paths: readonly string[]): Confirmation {
  return { refused: toKey(part), paths: [...new Set([...(part.request.confirmed ?? []), ...paths])] };
}

/** Adds a word of the user. Without effect for other files, pieces, lines or versions than those that were refused. */
export function withConfirmation(part: AcceptedPart, confirmation: Confirmation | undefined): AcceptedPart {
  if (confirmation?.refused !== toKey(part)) return part;
  return { ...part, request: { ...part.request, confirmed: confirmation.paths } };
}

function toKey({ request: { confirmed: _confirmed, ...request }, files }: AcceptedPart): string {
  return JSON.stringify([request, files.map(({ path, version }) => [path, version])]);
}
