import { z } from 'zod';
import { createGlob } from '../../../shared/paths/glob.ts';
import { ProjectPath } from '../../../shared/paths/project-path.ts';
import { defineFace } from '../../core/capability/model-face.ts';
import { MAX_ANSWER_TEXT } from '../../core/capability/parsing/bound-answer.ts';
import { filterInTurns } from '../support/filter-in-turns.ts';
import { requireFolder } from '../support/missing-file.ts';

export const listFilesForModel = defineFace({
  description:
    'Lists a folder of the project; paths are relative to the project root, a folder ends with "/". Without globs: its direct ' +
    'children. With globs: all files below it that match, at any depth, e.g. ["*.mp3"] or ["rain*.txt"].',
  input: z.strictObject({
    path: ProjectPath.default('.').describe('Folder, relative to the project root'),
    globs: z.array(z.string().max(500)).max(50).optional().describe('Include patterns, e.g. ["*.txt"]'),
    dirsOnly: z.boolean().default(false).describe('Only folders'),
    offset: z.int().min(0).default(0).describe('Entries to skip, to read on after leftOut'),
  }),
  output: z.object({ entries: z.array(z.string()), leftOut: z.string().optional() }),
  aliases: { glob: 'globs', pattern: 'globs', patterns: 'globs', directory: 'path', folder: 'path' },
  logged: ['globs'],
  earlier: [
    // The names that other agents use; an option for exclusions has no counterpart here.
    { name: 'list_dir', major: 0, adapt: (input) => input },
    {
      name: 'glob_file_search',
      major: 1,
      adapt: ({ glob_pattern, target_directory, ...rest }) => ({
        ...rest,
        ...(target_directory !== undefined && { path: target_directory }),
        globs: [glob_pattern],
      }),
    },
  ],
  examples: [{ path: 'game/scene', globs: ['*.txt'] }],
  needs: ['reader'],
  async handler({ path, globs, dirsOnly, offset }, { reader }, { signal }) {
    await requireFolder(reader, path);
    const matchers = globs?.map((glob) => createGlob(glob.includes('/') ? glob : `**/${glob}`));
    const listed = await reader.list(path, { recursive: matchers !== undefined, signal });
    const start = path === '.' ? 0 : path.length + 1;
    const wanted = await filterInTurns(
      listed.filter(
        (entry) => (matchers === undefined || !entry.isDirectory || dirsOnly) && (!dirsOnly || entry.isDirectory),
      ),
      // A pattern may be written relative to the folder or to the project.
      ({ path: found }) => matchers?.some((matches) => matches(found.slice(start)) || matches(found)) ?? true,
      signal,
    );
    const all = wanted.map((entry) => `${entry.path}${entry.isDirectory ? '/' : ''}`).sort();
    const entries: string[] = [];
    let length = 0;
    for (const entry of all.slice(offset)) {
      length += entry.length + 3;
      if (length > MAX_ANSWER_TEXT) break;
      entries.push(entry);
    }
    const next = offset + entries.length;
    const rest = all.length - next;
    return { entries, ...(rest > 0 && { leftOut: `${rest} of ${all.length} more; read on with offset ${next}.` }) };
  },
});
