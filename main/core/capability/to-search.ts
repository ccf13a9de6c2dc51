import { AppError } from '../../../shared/errors.ts';

export type Search = { kind: 'literal' } | { kind: 'regex'; regex: string; flags: string };

const FLAGS = /^[dgimsuvy]*$/;
const INLINE_FLAGS = /^\(\?([a-zA-Z]+)\)/;

/**
 * How `find` is meant: literally, or as a regular expression when it is written `/pattern/flags` or flags come with it.
 * A regular expression always replaces every match. `E_BAD_ARGS` for flags that do not exist and for `(?m)` at the
 * front, which other languages know and this one does not.
 */
export function toSearch(find: string, flags: string | undefined): Search {
  const inline = INLINE_FLAGS.exec(find)?.[1];
  if (inline !== undefined) {
    const known = [...new Set(inline)].filter((flag) => FLAGS.test(flag)).join('');
    throw new AppError('E_BAD_ARGS', `Flags cannot be written inside the pattern, as in (?${inline}).`, {
      hint:
        known === ''
          ? `Leave (?${inline}) out.`
          : `Write /pattern/${known}, or leave (?${inline}) out and pass flags: "${known}".`,
    });
  }
  const close = find.lastIndexOf('/');
  const own = find.startsWith('/') && close > 1 ? find.slice(close + 1) : null;
  const isWritten = own !== null && FLAGS.test(own);
  if (!isWritten && (flags === undefined || flags === '')) return { kind: 'literal' };
  const given = flags ?? '';
  if (!FLAGS.test(given)) {
    throw new AppError('E_BAD_ARGS', `${JSON.stringify(given)} are not flags of a regular expression.`, {
      hint: 'Known flags are g, i, m, s, u. Leave flags out to find the text literally.',
    });
  }
  const all = new Set(['g', ...(isWritten ? own : ''), ...given]);
  return { kind: 'regex', regex: isWritten ? find.slice(1, close) : find, flags: [...all].sort().join('') };
}
