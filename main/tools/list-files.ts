import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { createGlob } from '../../shared/paths/glob.ts';
import { ProjectPath } from '../../shared/paths/project-path.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { listFilesForModel } from './for-model/list-files.ts';
import { filterInTurns } from './support/filter-in-turns.ts';
import { requireFolder } from './support/missing-file.ts';
import { readTool } from './support/tool-presets.ts';

export const listFiles = defineTool({
  ...readTool('list_files'),
  inChat: 'looked',
  capability: 'project.file.list',
  version: '1.0.0',
  description:
    'Lists a folder of the project. Entries are relative to that folder and sorted; a folder ends with "/". Without ' +
    'globs: its direct children. With globs: everything below it that matches, e.g. ["**/*.txt"] for all scenes under ' +
    'game/scene. The project root is ".".',
  input: z.strictObject({
    path: ProjectPath.describe('Folder, relative to the project root'),
    globs: z.array(z.string().max(500)).max(50).optional().describe('Include patterns, e.g. ["**/*.txt"]'),
    dirsOnly: z.boolean().default(false).describe('Only folders'),
  }),
  output: z.object({ entries: z.array(z.string()) }),
  forModel: listFilesForModel,
  rateLimit: 600,
  logged: ['globs'],
  examples: [{ path: 'game/scene', globs: ['**/*.txt'] }],
  // The same tool under the name that other agents use; their option for exclusions has no counterpart here.
  earlier: [{ name: 'list_dir', major: 0, adapt: (input) => input }],
  needs: ['reader'],
  summarize: ({ path }) => toolText('list_files.summary', { path: toQuoted(path) }),
  paths: ({ path }) => [path],
  async handler({ path, globs, dirsOnly }, { reader }, { signal }) {
    await requireFolder(reader, path);
    const matchers = globs?.map(createGlob);
    const listed = await reader.list(path, { recursive: matchers !== undefined, signal });
    const start = path === '.' ? 0 : path.length + 1;
    const wanted = await filterInTurns(
      listed.filter((entry) => !dirsOnly || entry.isDirectory),
      (entry) => matchers === undefined || matchers.some((matches) => matches(entry.path.slice(start))),
      signal,
    );
    return {
      entries: wanted.map((entry) => `${entry.path.slice(start)}${entry.isDirectory ? '/' : ''}`).sort(),
    };
  },
});
