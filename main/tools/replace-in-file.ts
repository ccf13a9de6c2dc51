import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { ProjectPath } from '../../shared/paths/project-path.ts';
import { keepUniformEndings } from '../../shared/text/line-endings.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import { defineTool, type ToolPorts } from '../core/capability/define-tool.ts';
import { DRAFT_NOTE, MAX_TEXT_BYTES, refuseUnwritable } from '../core/proposal/text-change.ts';
import { toTextVersion } from '../core/text/text-version.ts';
import { replaceInFileForModel } from './for-model/replace-in-file.ts';
import { requireFile } from './support/missing-file.ts';
import { refuseEmptied, replaceLiteral } from './support/quoted-change.ts';
import { replaceMatches } from './support/replace-matches.ts';
import { toSearch } from './support/to-search.ts';
import { editTool } from './support/tool-presets.ts';

export const replaceInFile = defineTool({
  ...editTool('replace_in_file'),
  capability: 'project.file.replace',
  version: '1.0.0',
  description:
    'Replaces every occurrence of a text in one file and returns how many there were; 0 means that nothing was found ' +
    'and nothing changed. find is taken literally, line breaks included, unless it is written /pattern/flags or flags ' +
    'is given: then it is a JavaScript regular expression and $1 in replace stands for a group. Make find long enough ' +
    'to be unique if only one place is meant. In the app the change is drafted into the proposal.',
  input: z.strictObject({
    path: ProjectPath.describe('File, relative to the project root'),
    find: z.string().min(1).max(MAX_TEXT_BYTES).describe('Literal text, or /pattern/flags'),
    replace: z.string().max(MAX_TEXT_BYTES),
    flags: z.string().max(20).optional().describe('Flags of a regular expression; makes find one'),
  }),
  output: z.object({ count: z.int().min(0), drafted: z.boolean().optional(), note: z.string().optional() }),
  forModel: replaceInFileForModel,
  rateLimit: 240,
  // Language data: text of a game.
  examples: [{ path: 'game/scene/start.txt', find: '海边', replace: '雨夜' }],
  needs: ['reader', 'writer', 'matcher'],
  summarize: ({ path, find }) => {
    const shown = find.length > 30 ? `${find.slice(0, 30)}…` : find;
    return toolText('replace_in_file.summary', { path: toQuoted(path), shown: toQuoted(shown) });
  },
  paths: ({ path }) => [path],
  approval: {
    async plan(input, ports, { signal }) {
      const { before, after } = await replaceAll(input, ports, signal);
      return before === after ? [] : [{ path: input.path, before, after }];
    },
  },
  async handler(input, ports, { signal, seen }) {
    const { path } = input;
    const { before, after, count, version } = await replaceAll(input, ports, signal);
    if (count === 0 || after === before) return { count };
    refuseEmptied(path, { before, after, count });
    refuseUnwritable(path, after);
    const { drafted } = await ports.writer.write({ path, text: after, base: version });
    // If the old text was read, the new one counts as read; otherwise the file still has to be read.
    if (seen.get(path) === version) seen.set(path, (await toTextVersion(after)).version);
    return { count, ...(drafted && { drafted, note: DRAFT_NOTE }) };
  },
});

/** The text of the file before and after replacing every match. */
async function replaceAll(
  { path, find, replace, flags }: { path: string; find: string; replace: string; flags?: string | undefined },
  { reader, matcher }: Pick<ToolPorts, 'reader' | 'matcher'>,
  signal: AbortSignal,
): Promise<{ before: string; after: string; count: number; version: string }> {
  const search = toSearch(find, flags);
  await requireFile(reader, path);
  const { text: before, version } = await reader.read(path);
  const { text, count } =
    search.kind === 'regex'
      ? await replaceMatches({ path, text: before, search, replace }, { matcher, signal })
      : (replaceLiteral(before, find, replace) ?? { text: before, count: 0 });
  return { before, after: count === 0 || text === before ? before : keepUniformEndings(before, text), count, version };
}
