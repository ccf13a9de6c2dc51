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

const Input = z.strictObject({
  path: ProjectPath.describe('File, relative to the project root'),
  line: z.int().min(0).describe('The number of the line after which the new lines come; 0: at the beginning'),
  content: z.string().min(1).max(MAX_TEXT_BYTES).describe('The new lines, without numbers'),
  ...GUARD_ARGUMENTS,
  ...UNLISTED_ARGUMENTS,
});

export const insertAtLine = defineTool({
  ...appEditTool('insert_at_line'),
  capability: 'project.file.insert',
  version: '1.0.0',
  description:
    'Drafts new lines after a line of an existing file, by the number that read_file shows. Give expect (how that line begins) ' +
    'or version (of your read), so that old numbers are noticed: if they do not fit, nothing changes and the current lines ' +
    'are returned. Numbers below the new lines change.',
  input: Input,
  output: ChangeAnswer,
  modelCalls: {
    unlisted: UNLISTED_NAMES,
    aliases: { ...EDIT_ALIASES, insert_line: 'line', line_number: 'line', after_line: 'line', after: 'line' },
    texts: ['content'],
  },
  // Language data: text of a game.
  examples: [{ path: 'game/scene/start.txt', line: 12, content: '雪乃:下雨了;', expect: '雪乃:我们去海边' }],
  needs: ['reader', 'writer'],
  summarize: ({ path, line }) => toolText('insert_at_line.summary', { path: toQuoted(path), line }),
  paths: ({ path }) => [path],
  approval: {
    async plan(input, ports) {
      const { before, after } = await toChangedText(toChange(input), ports);
      return input.dryRun || before === after ? [] : [{ path: input.path, before, after }];
    },
  },
  handler: (input, ports, context) => draftLines(toChange(input), input.dryRun, { ports, context }),
});

function toChange({ path, line, content, expect, version }: z.output<typeof Input>) {
  return { path, from: line + 1, to: line, content, guarded: line, expect, version };
}
