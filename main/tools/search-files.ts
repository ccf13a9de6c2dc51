import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { toolText } from '../../shared/i18n/tools.ts';
import { ProjectPath } from '../../shared/paths/project-path.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { searchFilesForModel } from './for-model/search-files.ts';
import { toMissing } from './support/missing-file.ts';
import { readTool } from './support/tool-presets.ts';

export const searchFiles = defineTool({
  ...readTool('search_files'),
  inChat: 'searched',
  capability: 'project.file.search',
  version: '1.0.0',
  description:
    'Searches the lines of text files for a JavaScript regular expression (case matters). Returns path, line and the ' +
    'line itself; the paths can be passed to read_file as they are. path is a folder or one file; filePattern is a ' +
    'glob relative to it, such as **/*.txt.',
  input: z.strictObject({
    path: ProjectPath.describe('Folder or file, relative to the project root'),
    regex: z.string().min(1).max(2000),
    filePattern: z.string().max(500).optional().describe('Glob, e.g. **/*.txt'),
    maxMatches: z.int().min(1).max(10_000).default(2000),
  }),
  output: z.object({
    matches: z.array(z.object({ path: z.string(), line: z.int().min(1), preview: z.string() })),
  }),
  forModel: searchFilesForModel,
  rateLimit: 600,
  timeout: 60_000,
  logged: ['regex', 'filePattern'],
  // Language data: text of a game.
  examples: [{ path: 'game/scene', regex: '雪乃', filePattern: '**/*.txt' }],
  needs: ['reader'],
  summarize: ({ path, regex }) => {
    const shown = regex.length > 30 ? `${regex.slice(0, 30)}…` : regex;
    return toolText('search_files.summary', { path: toQuoted(path), shown: toQuoted(shown) });
  },
  paths: ({ path }) => [path],
  async handler({ path, regex, filePattern, maxMatches }, { reader }, { signal }) {
    if (/^\(\?[a-zA-Z]+\)/.test(regex)) {
      throw new AppError('E_BAD_ARGS', 'Flags cannot be written inside the pattern, as in (?i).', {
        hint: 'Leave them out; for both cases write [Aa].',
      });
    }
    if ((await reader.stat(path)) === null) throw await toMissing(reader, path);
    const glob = filePattern === undefined ? {} : { glob: toGlob(filePattern) };
    return { matches: await reader.search({ path, ...glob, regex, flags: '', maxMatches, signal }) };
  },
});

/** A pattern without a slash matches files at any depth, as in the other tools. */
function toGlob(pattern: string): string {
  return pattern.includes('/') ? pattern : `**/${pattern}`;
}
