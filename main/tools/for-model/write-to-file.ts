import { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import { ProjectPath } from '../../../shared/paths/project-path.ts';
import { keepLineEndings, keepUniformEndings } from '../../../shared/text/line-endings.ts';
import { defineFace } from '../../core/capability/model-face.ts';
import type { Reader, TextFile } from '../../core/ports/reader.ts';
import { MAX_TEXT_BYTES, readForChange, refuseUnwritable, requireSeen } from '../../core/proposal/text-change.ts';
import { ChangeAnswer, draftText } from '../support/change-answer.ts';
import { EDIT_ALIASES, UNLISTED_ARGUMENTS, UNLISTED_NAMES } from '../support/model-arguments.ts';

const Input = z.strictObject({
  path: ProjectPath.describe('File, relative to the project root'),
  content: z.string().max(MAX_TEXT_BYTES).describe('The complete new text, or the text to add'),
  mode: z.enum(['overwrite', 'append']).default('overwrite'),
  ...UNLISTED_ARGUMENTS,
});

export const writeToFileForModel = defineFace({
  description:
    'Drafts a whole text file (mode overwrite) or adds lines at its end (mode append; a long text can be written in several ' +
    'such calls). Missing folders are created. An existing file can be overwritten only after it was read with read_file in ' +
    'this conversation; to change parts of it use replace_in_file, replace_lines or insert_at_line. Give the complete text, ' +
    'never "rest unchanged". The answer has the counts of lines, the lines around the change and new problems of the scene.',
  input: Input,
  output: ChangeAnswer,
  unlisted: UNLISTED_NAMES,
  aliases: EDIT_ALIASES,
  texts: ['content'],
  examples: [{ path: 'game/scene/beach.txt', content: 'changeBg:beach.jpg -next;\n' }],
  needs: ['reader', 'writer'],
  approval: {
    permissionsFor: ({ dryRun }) => (dryRun ? ['fs.read'] : ['fs.read', 'fs.write']),
    async plan(input, { reader }) {
      if (input.dryRun) return [];
      const { before, after } = await toNewText(input, reader);
      return before === after ? [] : [{ path: input.path, before, after }];
    },
  },
  async handler(input, ports, context) {
    const { there, before, after } = await toNewText(input, ports.reader);
    const { path, mode, dryRun, idempotencyKey } = input;
    refuseUnwritable(path, after);
    if (!dryRun && mode === 'overwrite' && there !== null && after !== before) requireRead(context.seen, there);
    const change = { path, before, after, base: there?.version ?? null };
    const isWhole = before === null || mode === 'overwrite';
    return draftText(change, { isLook: dryRun, idempotencyKey, isWhole }, { ports, context });
  },
});

async function toNewText({ path, content, mode }: z.output<typeof Input>, reader: Reader) {
  const there = await readForChange(reader, path);
  const before = there?.text ?? null;
  if (before === null) return { there, before, after: content };
  if (mode === 'overwrite') return { there, before, after: keepLineEndings(before, withEndOf(before, content)) };
  // Added text begins on a line of its own: glued to the last line, it would change that statement.
  const isApart = before === '' || before.endsWith('\n') || /^\r?\n/.test(content);
  const after = `${before}${isApart ? '' : '\n'}${content}`;
  return { there, before, after: keepUniformEndings(before, after) };
}

/** Gives a text the last line break of the one before, or its absence: numbered lines do not show it. */
function withEndOf(before: string, content: string): string {
  if (before.trim() === '' || content === '') return content;
  if (before.endsWith('\n')) return content.endsWith('\n') ? content : `${content}\n`;
  return content.replace(/(?<!\n)\r?\n$/, '');
}

/** Throws `E_CONFLICT` unless the conversation was shown the current text. A file without text holds nothing to lose. */
function requireRead(seen: ReadonlyMap<string, string>, file: TextFile): void {
  requireSeen(seen, file);
  if (seen.has(file.path) || file.text.trim() === '') return;
  throw new AppError(
    'E_CONFLICT',
    `${file.path} exists and was not read in this conversation, so overwriting it would lose text that you do not know. Nothing was changed.`,
    {
      details: { path: file.path, lines: file.text.split('\n').length },
      hint: 'Read it with read_file first. To add to it use mode append; to change a part use replace_in_file.',
      reason: 'file.notRead',
    },
  );
}
