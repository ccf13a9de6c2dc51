import { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import { ProjectPath } from '../../../shared/paths/project-path.ts';
import { keepUniformEndings } from '../../../shared/text/line-endings.ts';
import type { ToolPorts } from '../../core/capability/define-tool.ts';
import { defineFace } from '../../core/capability/model-face.ts';
import { MAX_TEXT_BYTES, refuseUnwritable } from '../../core/proposal/text-change.ts';
import { ChangeAnswer, draftText } from '../support/change-answer.ts';
import { requireFile } from '../support/missing-file.ts';
import { UNLISTED_ARGUMENTS, UNLISTED_NAMES } from '../support/model-arguments.ts';
import { refuseEmptied, replaceQuoted } from '../support/quoted-change.ts';
import { replaceMatches } from '../support/replace-matches.ts';
import { toSearch } from '../support/to-search.ts';

const Input = z.strictObject({
  path: ProjectPath.describe('File, relative to the project root'),
  find: z.string().min(1).max(MAX_TEXT_BYTES).describe('The text of the file, long enough to occur once'),
  replace: z.string().max(MAX_TEXT_BYTES).describe('The text that takes its place'),
  flags: z.string().max(20).optional(),
  ...UNLISTED_ARGUMENTS,
});

export const replaceInFileForModel = defineFace({
  description:
    'Drafts the replacement of a text in one file. find is the text as the file has it, line breaks included, without line ' +
    'numbers; every occurrence is replaced, so make it long enough to be unique if one place is meant. Small differences in ' +
    'punctuation widths, blanks and line endings are understood where only one place fits. /pattern/flags is a JavaScript ' +
    'regular expression. If find is not there, nothing changes and the nearest lines are returned.',
  input: Input,
  output: ChangeAnswer.extend({ count: z.int().min(0) }),
  unlisted: ['flags', ...UNLISTED_NAMES],
  aliases: {
    ...{ old_string: 'find', old_str: 'find', old_text: 'find', oldText: 'find', search: 'find', old: 'find' },
    ...{ new_string: 'replace', new_str: 'replace', new_text: 'replace', newText: 'replace', new: 'replace' },
    ...{ replacement: 'replace', pattern: 'find', target: 'find', dry_run: 'dryRun' },
  },
  // Language data: text of a game.
  examples: [{ path: 'game/scene/start.txt', find: '雪乃:我们去海边吧;', replace: '雪乃:下雨了;' }],
  needs: ['reader', 'writer', 'matcher'],
  approval: {
    async plan(input, ports, { signal }) {
      const { before, after } = await toNewText(input, ports, signal);
      return before === after || input.dryRun ? [] : [{ path: input.path, before, after }];
    },
  },
  async handler(input, ports, context) {
    const { path, dryRun, idempotencyKey } = input;
    const { before, after, count, note, version } = await toNewText(input, ports, context.signal);
    refuseEmptied(path, { before, after, count });
    refuseUnwritable(path, after);
    const change = { path, before, after, base: version };
    const answer = await draftText(change, { isLook: dryRun, idempotencyKey }, { ports, context });
    return { ...answer, count, ...(note !== undefined && { note: `${note} ${answer.note}` }) };
  },
});

async function toNewText(
  { path, find, replace, flags }: z.output<typeof Input>,
  { reader, matcher }: Pick<ToolPorts, 'reader' | 'matcher'>,
  signal: AbortSignal,
): Promise<{ before: string; after: string; count: number; note?: string | undefined; version: string }> {
  await requireFile(reader, path);
  const { text: before, version } = await reader.read(path);
  const search = toSearch(find, flags);
  if (search.kind === 'literal') {
    const { text, count, note } = replaceQuoted(path, before, { find, replace });
    return { before, after: keepUniformEndings(before, text), count, note, version };
  }
  const { text, count } = await replaceMatches({ path, text: before, search, replace }, { matcher, signal });
  if (count > 0) return { before, after: keepUniformEndings(before, text), count, version };
  throw new AppError('E_NOT_FOUND', `The pattern matches nothing in ${path}. Nothing was changed.`, {
    details: { path },
    hint: 'To find a text literally, write it without / at both ends and without flags.',
    reason: 'text.notFound',
  });
}
