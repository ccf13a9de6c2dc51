import type { PatchIssueCode } from '../../../shared/model/plan/patch.ts';
import { shorten } from '../../../shared/text/shorten.ts';

/** Characters of the subject of an issue. */
const MAX_SUBJECT = 200;

/** Writes an issue of a validation: `code:subject`. Lone surrogates and line breaks are replaced. */
export function toIssue(code: PatchIssueCode, subject = ''): string {
  const line = shorten(subject.replace(/\s+/g, ' ').trim().toWellFormed(), MAX_SUBJECT);
  return line === '' ? code : `${code}:${line}`;
}
