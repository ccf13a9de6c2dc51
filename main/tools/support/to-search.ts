import { AppError } from '../../../shared/errors.ts';

export type Search = { kind: 'literal' } | { kind: 'regex'; regex: string; flags: string };

const FLAGS = /^[dgimsuvy]*$/;
const INLINE_FLAGS = /^\(\?([a-zA-Z]+)\)/;

/**
 * Parses `find`: a literal text, or a regular expression when it is written `/pattern/flags` or has flags. A regular expression
 * replaces every match. Throws `E_BAD_ARGS` for unknown flags and for inline flags such as `(?m)`, which JavaScript lacks.
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
