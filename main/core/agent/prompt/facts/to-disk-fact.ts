import type {
  DiskChangeCause,
  DiskChangeGroup,
  DiskChangeKind,
} from '../../../../../shared/model/message/disk-change.ts';
import type { LogEventOf } from '../../session/log-events.ts';
import { quoteForPrompt } from '../prompt-text.ts';

const MAX_NAMES = 20;

const BY: Record<DiskChangeCause, string> = {
  restore: 'The user, with undo or restore in the app,',
  user: 'The user, in the editor of the app,',
  assistant: 'Another conversation or program that uses the app',
  outside: 'Someone outside the app',
};

const DID: Record<DiskChangeKind, string> = {
  undone: 'took back changes of yours that had been accepted. They are NOT on disk any more',
  again: 'brought back changes of yours that had been accepted and undone. The files are as you left them',
  changed: 'changed files that you know',
  created: 'created files that did not exist when you looked',
  deleted: 'deleted files that you know',
};

/** The same of pictures, sounds and other files that are not texts, which the model never reads. */
const DID_MEDIA: Partial<Record<DiskChangeKind, string>> = {
  created: 'brought back pictures, sounds or other files that are not texts',
  changed: 'put other versions of pictures, sounds or other files that are not texts in their place',
  deleted:
    'removed pictures, sounds or other files that are not texts; what names them in a scene is not found any more',
};

/**
 * Returns what happened to files as sentences for the model: one a kind and cause, however many files. Names and lines are quoted as JSON;
 * null for an event that only updates what is known. Pure.
 */
export function toDiskFact({ groups, lost }: LogEventOf<'disk'>): string | null {
  if (groups.length === 0) return null;
  const sentences = groups.map(toGroupFact);
  if (lost.length > 0) {
    const told = lost.map(({ path, lines, more }) => ({ path, lines, ...(more > 0 && { linesNotListed: more }) }));
    sentences.push(`Of your accepted changes these lines are not in the files any more: ${quoteForPrompt(told)}.`);
  }
  if (groups.some(({ isMedia }) => !isMedia)) {
    sentences.push(
      'What was said about these files before does not hold any more: read a file again before you rely on it.',
    );
  }
  return sentences.join(' ');
}

function toGroupFact({ kind, by, count, paths, isMedia }: DiskChangeGroup): string {
  const more = count - Math.min(paths.length, MAX_NAMES);
  const names = quoteForPrompt(paths.slice(0, MAX_NAMES));
  return `${BY[by]} ${(isMedia && DID_MEDIA[kind]) || DID[kind]}: ${names}${more > 0 ? ` and ${more} more files` : ''}.`;
}
