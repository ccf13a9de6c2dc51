import { z } from 'zod';
import { ProjectPath } from '../../shared/model/project-path.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { toMissing } from '../core/capability/missing-file.ts';
import { rankPassages } from '../core/capability/rank-passages.ts';
import { readTexts } from '../core/capability/read-texts.ts';

export const codebaseSearch = defineTool({
  capability: 'project.text.rank',
  name: 'codebase_search',
  version: '1.0.0',
  type: 'context',
  title: { 'zh-CN': '找相关的段落', en: 'Find passages about something' },
  about: {
    'zh-CN': '按意思在所有场景里找相关的段落。',
    en: 'Finds passages in your scenes that have to do with a topic.',
  },
  description:
    'Finds the passages of the story that speak of something, best first, when the exact wording is not known: ask with ' +
    'the words that would stand there (names, places, things), in the language of the story. For exact wording use ' +
    'search_files.',
  input: z.strictObject({
    query: z.string().min(1).max(500),
    target_directories: z.array(ProjectPath).max(20).optional().describe('Folders; the scenes when left out'),
    limit: z.int().min(1).max(50).default(10),
  }),
  output: z.object({
    results: z.array(
      z.object({
        path: z.string(),
        line: z.int().min(1),
        endLine: z.int().min(1),
        text: z.string(),
        score: z.number(),
      }),
    ),
  }),
  permissions: ['fs.read'],
  sideEffects: 'none',
  risk: { level: 'low', rollback: false, snapshot: false, approval: 'never', audit: 'summary' },
  rateLimit: 120,
  timeout: 60_000,
  logged: ['query'],
  examples: [{ query: '雨夜 争吵 雪乃' }],
  needs: ['reader'],
  inPlan: true,
  summarize: ({ query }) => ({ 'zh-CN': `找与“${query}”有关的段落`, en: `Find passages about “${query}”` }),
  paths: ({ target_directories }) => target_directories ?? [],
  async handler({ query, target_directories, limit }, { reader }, { signal }) {
    const files = new Map<string, { path: string; text: string }>();
    for (const folder of target_directories ?? ['game/scene']) {
      const there = await reader.stat(folder);
      if (there === null && target_directories !== undefined) throw await toMissing(reader, folder);
      if (there === null) continue;
      const listed = there.isDirectory ? await reader.list(folder, { recursive: true, signal }) : [there];
      for await (const batch of readTexts(reader, listed, signal)) for (const file of batch) files.set(file.path, file);
    }
    return { results: rankPassages(query, [...files.values()], limit) };
  },
});
