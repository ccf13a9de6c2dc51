import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { ProjectPath } from '../../shared/paths/project-path.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { MAX_TEXT_BYTES } from '../core/proposal/text-change.ts';
import { ChangeAnswer } from './support/change-answer.ts';
import { draftLines, toChangedText } from './support/line-change.ts';
import { GUARD_ARGUMENTS } from './support/line-guard.ts';
import { appEditTool, EDIT_ALIASES, UNLISTED_ARGUMENTS, UNLISTED_NAMES } from './support/model-arguments.ts';

const Input = z
  .strictObject({
    path: ProjectPath.describe('File, relative to the project root'),
    from: z.int().min(1).describe('The number of the first line that is replaced'),
    to: z.int().min(1).optional().describe('The number of the last one; only line from when left out'),
    content: z.string().max(MAX_TEXT_BYTES).describe('The lines that take their place, without numbers; "" removes'),
    ...GUARD_ARGUMENTS,
    ...UNLISTED_ARGUMENTS,
  })
  .refine(({ from, to }) => to === undefined || to >= from, { message: 'to is before from' });

export const replaceLines = defineTool({
  ...appEditTool('replace_lines'),
  capability: 'project.file.lines',
  version: '1.0.0',
  description:
    'Drafts other text for the lines from to to of a file, by the numbers that read_file shows; content "" removes them. Give ' +
    'expect (how line from begins) or version (of your read), so that old numbers are noticed: if they do not fit, nothing ' +
    'changes and the current lines are returned. Numbers below the change may change.',
  input: Input,
  output: ChangeAnswer,
  modelCalls: {
    unlisted: UNLISTED_NAMES,
    aliases: {
      ...EDIT_ALIASES,
      ...{ start_line: 'from', startLine: 'from', start: 'from', line: 'from', first_line: 'from' },
      ...{ end_line: 'to', endLine: 'to', end: 'to', last_line: 'to', replace: 'content', replacement: 'content' },
    },
    texts: ['content'],
  },
  // Language data: text of a game.
  examples: [{ path: 'game/scene/start.txt', from: 12, to: 13, content: '雪乃:下雨了;', expect: '雪乃:我们去海边' }],
  needs: ['reader', 'writer'],
  summarize: ({ path, from, to = from }) =>
    from === to
      ? toolText('replace_lines.summaryOne', { path: toQuoted(path), from })
      : toolText('replace_lines.summaryMany', { path: toQuoted(path), from, to }),
  paths: ({ path }) => [path],
  approval: {
    async plan(input, ports) {
      const { before, after } = await toChangedText(toChange(input), ports);
      return input.dryRun || before === after ? [] : [{ path: input.path, before, after }];
    },
  },
  handler: (input, ports, context) => draftLines(toChange(input), input.dryRun, { ports, context }),
});

function toChange({ path, from, to = from, content, expect, version }: z.output<typeof Input>) {
  return { path, from, to, content, guarded: from, expect, version };
}
