import { z } from 'zod';
import { ProjectPath } from '../../shared/model/project-path.ts';
import { toQuoted } from '../../shared/model/shown-text.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { requireFile } from '../core/capability/missing-file.ts';

export const readFile = defineTool({
  capability: 'project.file.read',
  name: 'read_file',
  version: '1.1.0',
  type: 'context',
  title: { 'zh-CN': '读取文件', en: 'Read a file' },
  about: {
    'zh-CN': '读取游戏里的一个文本文件。',
    en: 'Reads a text file of the game.',
  },
  description:
    'Reads a text file (UTF-8). With offset (first line, from 1) and limit (number of lines) only those lines; ' +
    'totalLines then says how many there are. Read a file before you change it.',
  input: z.strictObject({
    path: ProjectPath.describe('File, relative to the project root'),
    maxBytes: z.int().min(1).optional().describe('Refuse a larger file with E_TOO_LARGE'),
    offset: z.int().min(1).optional().describe('First line to return, from 1'),
    limit: z.int().min(1).optional().describe('How many lines to return'),
  }),
  output: z.object({
    path: z.string(),
    content: z.string(),
    encoding: z.literal('utf-8'),
    bytes: z.int().min(0),
    totalLines: z.int().min(0).optional(),
  }),
  permissions: ['fs.read'],
  sideEffects: 'none',
  risk: { level: 'low', rollback: false, snapshot: false, approval: 'never', audit: 'summary' },
  rateLimit: 600,
  timeout: 30_000,
  examples: [{ path: 'game/scene/start.txt' }],
  needs: ['reader'],
  inPlan: true,
  summarize: ({ path }) => ({ 'zh-CN': `读取 ${toQuoted(path)}`, en: `Read ${toQuoted(path)}` }),
  paths: ({ path }) => [path],
  async handler({ path, maxBytes, offset, limit }, { reader }, { seen }) {
    await requireFile(reader, path);
    const file = await reader.read(path, maxBytes === undefined ? {} : { maxBytes: Math.min(maxBytes, MAX_BYTES) });
    seen.set(path, file.version);
    const answer = { path, encoding: 'utf-8' as const, bytes: file.bytes };
    if (offset === undefined && limit === undefined) return { ...answer, content: file.text };
    const lines = file.text.split('\n');
    const first = (offset ?? 1) - 1;
    const content = lines.slice(first, limit === undefined ? undefined : first + limit).join('\n');
    return { ...answer, content, totalLines: lines.length };
  },
});

/** What a caller may ask for at most; a smaller `maxBytes` narrows it. */
const MAX_BYTES = 5 * 1024 * 1024;
