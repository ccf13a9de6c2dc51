import { z } from 'zod';
import { ProjectPath } from '../../shared/model/project-path.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { createGlob } from '../core/capability/glob.ts';
import { toMissing } from '../core/capability/missing-file.ts';
import { readTexts } from '../core/capability/read-texts.ts';

const USUAL = 200;
const Lines = z.int().min(0).max(20).optional();

interface Match {
  path: string;
  line: number;
  preview: string;
  before?: string[];
  after?: string[];
}

export const grep = defineTool({
  capability: 'project.file.grep',
  name: 'grep',
  version: '1.0.0',
  type: 'context',
  title: { 'zh-CN': '搜索文字（带上下文）', en: 'Search with the lines around' },
  about: {
    'zh-CN': '在文件里查找一段文字，并带上前后几行。',
    en: 'Looks for words in your files and shows the lines around them.',
  },
  description:
    'Like search_files, with the lines around each match (-A after, -B before, -C both), -i to ignore case, multiline to ' +
    `let a match run over lines, and head_limit (${USUAL}) to keep the answer short; truncated says when there is more.`,
  input: z.strictObject({
    pattern: z.string().min(1).max(2000).describe('JavaScript regular expression'),
    path: ProjectPath.optional().describe('Folder or file; the whole project when left out'),
    glob: z.string().max(500).optional().describe('Only files like this, e.g. *.txt'),
    multiline: z.boolean().default(false),
    head_limit: z.int().min(1).max(2000).default(USUAL),
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
  permissions: ['fs.read'],
  sideEffects: 'none',
  risk: { level: 'low', rollback: false, snapshot: false, approval: 'never', audit: 'summary' },
  rateLimit: 300,
  timeout: 60_000,
  logged: ['pattern', 'glob'],
  examples: [{ pattern: 'jumpLabel:', path: 'game/scene', '-C': 2 }],
  needs: ['reader', 'matcher'],
  inPlan: true,
  summarize: ({ pattern }) => {
    const shown = pattern.length > 30 ? `${pattern.slice(0, 30)}…` : pattern;
    return { 'zh-CN': `搜索“${shown}”`, en: `Search for “${shown}”` };
  },
  paths: ({ path }) => (path === undefined ? [] : [path]),
  async handler(input, { reader, matcher }, { signal }) {
    const { pattern, path = '.', glob, multiline, head_limit: limit } = input;
    const there = await reader.stat(path);
    if (there === null) throw await toMissing(reader, path);
    const isWanted = createGlob(glob === undefined ? '**' : glob.includes('/') ? glob : `**/${glob}`);
    const start = path === '.' ? 0 : path.length + 1;
    const listed = there.isDirectory ? await reader.list(path, { recursive: true, signal }) : [there];
    const files = listed.filter(
      (file) => !file.isDirectory && (!there.isDirectory || isWanted(file.path.slice(start))),
    );
    // The matcher reads whole texts for a pattern that names a line break; this one names it without wanting it.
    const regex = multiline ? `(?:${pattern})(?:\\n){0}` : pattern;
    const flags = `${input['-i'] ? 'i' : ''}${multiline ? 'ms' : ''}`;
    const before = input['-B'] ?? input['-C'] ?? 0;
    const after = input['-A'] ?? input['-C'] ?? 0;
    const matches: Match[] = [];
    // A bad pattern is said to be one even where there is nothing to search, and before it is wrapped.
    await matcher.search({ files: [], regex: pattern, flags, maxMatches: 1, signal });
    for await (const batch of readTexts(reader, files, signal)) {
      const maxMatches = limit + 1 - matches.length;
      const found = await matcher.search({ files: batch, regex, flags, maxMatches, signal });
      const texts = new Map(batch.map((file) => [file.path, file.text]));
      for (const { path: file, line, preview } of found) {
        const match: Match = { path: file, line, preview };
        if (before + after > 0) Object.assign(match, linesAround(texts.get(file) ?? '', line, { before, after }));
        matches.push(match);
      }
      if (matches.length > limit) break;
    }
    return { matches: matches.slice(0, limit), truncated: matches.length > limit };
  },
});

function linesAround(text: string, line: number, { before, after }: { before: number; after: number }) {
  const lines = text.split(/\r?\n/);
  return {
    before: lines.slice(Math.max(0, line - 1 - before), line - 1),
    after: lines.slice(line, line + after),
  };
}
