import { z } from 'zod';
import { toolText } from '../../shared/i18n/tools.ts';
import { ProjectPath } from '../../shared/paths/project-path.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { toMissing } from './support/missing-file.ts';
import { readTool } from './support/tool-presets.ts';

const DEFAULT_LIMIT = 200;
const Lines = z.int().min(0).max(20).optional();

export const grep = defineTool({
  ...readTool('grep'),
  inChat: 'searched',
  capability: 'project.file.grep',
  version: '1.0.0',
  description:
    'Like search_files, with the lines around each match (-A after, -B before, -C both), -i to ignore case, multiline to ' +
    `let a match run over lines, and head_limit (${DEFAULT_LIMIT}) to keep the answer short; truncated says when there is more.`,
  // The app's own model has search_files for it.
  forModel: 'hidden',
  input: z.strictObject({
    pattern: z.string().min(1).max(2000).describe('JavaScript regular expression'),
    path: ProjectPath.optional().describe('Folder or file; the whole project when left out'),
    glob: z.string().max(500).optional().describe('Only files like this, e.g. *.txt'),
    multiline: z.boolean().default(false),
    head_limit: z.int().min(1).max(2000).default(DEFAULT_LIMIT),
    '-i': z.boolean().default(false),
    '-A': Lines,
    '-B': Lines,
    '-C': Lines,
  }),
  output: z.object({
    matches: z.array(
      z.object({
        path: z.string(),
        line: z.int().min(1),
        preview: z.string(),
        before: z.array(z.string()).optional(),
        after: z.array(z.string()).optional(),
      }),
    ),
    truncated: z.boolean(),
  }),
  timeout: 60_000,
  logged: ['pattern', 'glob'],
  examples: [{ pattern: 'jumpLabel:', path: 'game/scene', '-C': 2 }],
  needs: ['reader'],
  summarize: ({ pattern }) => {
    const shown = pattern.length > 30 ? `${pattern.slice(0, 30)}…` : pattern;
    return toolText('grep.summary', { shown: toQuoted(shown) });
  },
  paths: ({ path }) => (path === undefined ? [] : [path]),
  async handler(input, { reader }, { signal }) {
    const { pattern, path = '.', glob, multiline, head_limit: limit } = input;
    if ((await reader.stat(path)) === null) throw await toMissing(reader, path);
    const matches = await reader.search({
      path,
      ...(glob !== undefined && { glob: glob.includes('/') ? glob : `**/${glob}` }),
      regex: pattern,
      flags: input['-i'] ? 'i' : '',
      multiline,
      before: input['-B'] ?? input['-C'] ?? 0,
      after: input['-A'] ?? input['-C'] ?? 0,
      maxMatches: limit + 1,
      signal,
    });
    return { matches: matches.slice(0, limit), truncated: matches.length > limit };
  },
});
