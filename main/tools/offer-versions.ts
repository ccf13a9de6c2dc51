import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { toolText } from '../../shared/i18n/tools.ts';
import { ProjectPath } from '../../shared/paths/project-path.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import { defineTool, type ToolContext, type ToolPorts } from '../core/capability/define-tool.ts';
import { toTextLines } from '../core/text/numbered-lines.ts';
import { findNewProblems, toShownVersion } from './support/change-answer.ts';
import { type LineChange, toChangedText } from './support/line-change.ts';
import { GUARD_ARGUMENTS } from './support/line-guard.ts';
import { MAX_VERSION_TITLE, MAX_VERSIONS, MIN_VERSIONS, toMeantVersions } from './support/meant-versions.ts';
import { readTool } from './support/tool-presets.ts';

const MAX_TEXT = 8000;
/** The most lines that versions replace: they are shown beside each other. */
const MAX_LINES = 120;
const MAX_NAMED_PROBLEMS = 5;

const Version = z.strictObject({
  title: z.string().min(1).max(MAX_VERSION_TITLE).describe('What is different about it, in a few words for the user'),
  text: z.string().min(1).max(MAX_TEXT).describe('The lines, complete and without numbers'),
});

const Input = z
  .strictObject({
    path: ProjectPath.describe('File, relative to the project root'),
    from: z.int().min(1).optional().describe('The number of the first line that a version takes the place of'),
    to: z.int().min(1).optional().describe('The number of the last one; only line from when left out'),
    after: z.int().min(0).optional().describe('Instead of from: the versions are new lines after this line'),
    versions: z.preprocess(toMeantVersions, z.array(Version).min(MIN_VERSIONS).max(MAX_VERSIONS)),
    question: z.string().max(1000).optional().describe('What the user is to look at, in one sentence'),
    ...GUARD_ARGUMENTS,
  })
  .refine(({ from, after }) => (from === undefined) !== (after === undefined), { message: 'give either from or after' })
  .refine(({ from = 1, to = from }) => to >= from && to - from < MAX_LINES, {
    message: `to is before from, or the passage is longer than ${MAX_LINES} lines`,
  });

export const offerVersions = defineTool({
  ...readTool('offer_versions', { reason: 'shows' }),
  type: 'action',
  capability: 'agent.versions.offer',
  version: '1.0.0',
  description:
    'Shows the user two or three versions of a passage side by side, and ends your turn. Use it when the user asks for ' +
    'alternatives, or where taste decides: a key line, an opening, an ending. The app puts the chosen version in place as your ' +
    'draft and tells you; do not write it yourself. Give from and to (the lines it replaces) or after (new lines), with expect or ' +
    'version as for replace_lines. Each version must be complete and without errors.',
  input: Input,
  output: z.object({
    path: z.string(),
    from: z.int(),
    /** One less than `from` for new lines. */
    to: z.int(),
    before: z.string(),
    version: z.string(),
    ack: z.literal(true),
  }),
  audience: 'model',
  governedBy: ['read_file'],
  modelCalls: {
    aliases: {
      ...{
        options: 'versions',
        alternatives: 'versions',
        variants: 'versions',
        choices: 'versions',
        texts: 'versions',
      },
      ...{
        start_line: 'from',
        startLine: 'from',
        start: 'from',
        line: 'from',
        end_line: 'to',
        endLine: 'to',
        end: 'to',
      },
      ...{ after_line: 'after', afterLine: 'after', prompt: 'question', message: 'question' },
    },
  },
  inPlan: false,
  sideEffects: 'Shows a question in the chat.',
  rateLimit: 30,
  // Language data: text of a game.
  examples: [
    {
      path: 'game/scene/start.txt',
      from: 12,
      versions: [
        { title: '克制', text: '雪乃:嗯，走吧;' },
        { title: '热烈', text: '雪乃:等一下，我有话要说！;' },
      ],
      expect: '雪乃:我们去海边',
    },
  ],
  needs: ['reader'],
  summarize: ({ path, versions }) =>
    toolText('offer_versions.summary', { count: versions.length, path: toQuoted(path) }),
  paths: ({ path }) => [path],
  async handler(input, { reader }, context) {
    const { path } = input;
    const { from, to } = toPlace(input);
    const changes: LineChange[] = input.versions.map(({ text }) => toChange(input, text));
    const [first, ...others] = await Promise.all(changes.map((change) => toChangedText(change, { reader })));
    if (!first) throw new AppError('E_BAD_ARGS', 'There are no versions.');
    const texts = [first, ...others].map(({ after }) => after);
    if (new Set([first.before, ...texts]).size <= texts.length) {
      throw new AppError('E_BAD_ARGS', 'Two versions are equal, or one equals the present text.', {
        hint: 'Call again with versions that differ.',
      });
    }
    await refuseBroken(input, first.before, { texts, reader, context });
    const before = toTextLines(first.before)
      .slice(from - 1, to)
      .join('\n');
    return { path, from, to, before, version: toShownVersion(first.base), ack: true as const };
  },
});

/** A version that the user chooses is drafted unseen by the model, so it must be free of errors before it is shown. */
async function refuseBroken(
  { path, versions }: z.output<typeof Input>,
  before: string,
  { texts, reader, context }: { texts: string[]; reader: ToolPorts['reader']; context: ToolContext },
): Promise<void> {
  const broken: string[] = [];
  for (const [index, { title }] of versions.entries()) {
    const after = texts[index] ?? before;
    const found = (await findNewProblems({ path, before, after }, { reader, ...context })) ?? [];
    for (const { severity, line, message } of found) {
      if (severity === 'error') broken.push(`${title}, line ${line} of the file with it: ${message}`);
    }
  }
  if (broken.length === 0) return;
  throw new AppError('E_BAD_ARGS', 'Nothing was shown: versions would bring errors into the scene.', {
    details: { problems: broken.slice(0, MAX_NAMED_PROBLEMS) },
    hint: 'Correct them and call again with all versions.',
  });
}

function toPlace({ from, to = from, after }: z.output<typeof Input>): { from: number; to: number } {
  return from === undefined ? { from: (after ?? 0) + 1, to: after ?? 0 } : { from, to: to ?? from };
}

function toChange(input: z.output<typeof Input>, content: string): LineChange {
  const { path, expect, version } = input;
  const { from, to } = toPlace(input);
  return { path, from, to, content, guarded: input.from ?? to, expect, version };
}
