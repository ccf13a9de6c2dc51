import { type Mention, toMentionKey, toMentionName } from '../../../shared/model/message/mention.ts';
import { type AttachmentState, useAttachments } from '../../state/chat/attachment-store.ts';
import { useProject } from '../../state/project/project-store.ts';
import { useCanSee } from './use-can-see.ts';

/** Why a mention cannot be sent: the message `errors:<reason>`. */
export interface AttachmentProblem {
  name: string;
  reason: string;
}

/** Returns a function that finds what speaks against a mention: the app refused it, or its file is gone. Null for nothing. */
export function useFindProblem(): (mention: Mention) => AttachmentProblem | null {
  const refused = useAttachments((state) => state.refused);
  const paths = useProject((state) => state.paths);
  return (mention) => toProblem(mention, { refused, paths });
}

/** True while the message cannot be sent with what it refers to and shows. */
export function useIsBlocked(): boolean {
  const find = useFindProblem();
  const canSee = useCanSee();
  const mentions = useAttachments((state) => state.mentions);
  const hasPictures = useAttachments((state) => state.pictures.length > 0);
  return (hasPictures && !canSee) || mentions.some((mention) => find(mention) !== null);
}

function toProblem(
  mention: Mention,
  { refused, paths }: Pick<AttachmentState, 'refused'> & { paths: ReadonlySet<string> },
): AttachmentProblem | null {
  const name = toMentionName(mention);
  // Empty while the files are being listed.
  if ('path' in mention && paths.size > 0 && !paths.has(mention.path)) return { name, reason: 'mention.gone' };
  return refused?.key === toMentionKey(mention) ? { name, reason: refused.reason } : null;
}
