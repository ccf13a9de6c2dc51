import { AppError } from '../../../shared/errors.ts';
import type { Matcher } from '../../core/ports/reader.ts';
import type { Search } from './to-search.ts';

/** Replaces every match of a regular expression. Throws `E_BAD_ARGS` where it would take a character apart. */
export async function replaceMatches(
  { path, text, search, replace }: { path: string; text: string; search: Search & { kind: 'regex' }; replace: string },
  { matcher, signal }: { matcher: Matcher; signal: AbortSignal },
): Promise<{ text: string; count: number }> {
  const { regex, flags } = search;
  const replaced = await matcher.replace({ text, regex, flags, replacement: replace, signal });
  if (!replace.isWellFormed() || replaced.text.isWellFormed()) return replaced;
  // Without the flag u a pattern matches the two halves of a surrogate pair separately, and can replace one of them.
  throw new AppError('E_BAD_ARGS', `The pattern takes characters of ${path} apart. Nothing was changed.`, {
    details: { path },
    hint: 'Add the flag u, as in /./gu.',
  });
}
