import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { createGlob } from '../../shared/paths/glob.ts';
import { ProjectPath } from '../../shared/paths/project-path.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { filterInTurns } from './support/filter-in-turns.ts';
import { requireFolder } from './support/missing-file.ts';
import { readTool } from './support/tool-presets.ts';

const MAX_FILES = 2000;

export const globFileSearch = defineTool({
  ...readTool('glob_file_search'),
  inChat: 'looked',
  capability: 'project.file.find',
  version: '1.0.0',
  description:
    'Finds files by a glob on their path, at any depth, e.g. *.mp3 or scene/**/rain*.txt. The paths are relative to the ' +
    `project root and can be passed to read_file as they are. At most ${MAX_FILES}; truncated says when there are more.`,
  // The app's own model has list_files for it.
  forModel: 'hidden',
  input: z.strictObject({
    glob_pattern: z.string().min(1).max(500).describe('Glob; one without / matches at any depth'),
    target_directory: ProjectPath.optional().describe('Folder to look in; the whole project when left out'),
  }),
  output: z.object({ files: z.array(z.string()), truncated: z.boolean() }),
  logged: ['glob_pattern'],
  examples: [{ glob_pattern: '*.mp3', target_directory: 'game' }],
  needs: ['reader'],
  summarize: ({ glob_pattern }) => toolText('glob_file_search.summary', { glob_pattern: toQuoted(glob_pattern) }),
  paths: ({ target_directory }) => (target_directory === undefined ? [] : [target_directory]),
  async handler({ glob_pattern, target_directory = '.' }, { reader }, { signal }) {
    await requireFolder(reader, target_directory);
    const matches = createGlob(glob_pattern.includes('/') ? glob_pattern : `**/${glob_pattern}`);
    const start = target_directory === '.' ? 0 : target_directory.length + 1;
    const listed = await reader.list(target_directory, { recursive: true, signal });
    const files = await filterInTurns(
      listed.filter((entry) => !entry.isDirectory),
      (entry) => matches(entry.path.slice(start)),
      signal,
    );
    return { files: files.slice(0, MAX_FILES).map((file) => file.path), truncated: files.length > MAX_FILES };
  },
});
