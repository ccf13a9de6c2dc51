import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { toolText } from '../../shared/i18n/tools.ts';
import { ProjectPath } from '../../shared/paths/project-path.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import { MAX_TEXT_BYTES } from '../core/proposal/text-change.ts';
import { readFileForModel } from './for-model/read-file.ts';
import { requireFile } from './support/missing-file.ts';
import { readTool } from './support/tool-presets.ts';

export const readFile = defineTool({
  ...readTool('read_file'),
  inChat: 'read',
  capability: 'project.file.read',
  version: '1.1.0',
  description:
    'Reads a text file (UTF-8) of up to 5 MiB. With offset (first line, from 1) and limit (number of lines) only those ' +
    'lines, of larger files, too; totalLines then says how many there are. Read a file before you change it.',
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
  forModel: readFileForModel,
  rateLimit: 600,
  examples: [{ path: 'game/scene/start.txt' }],
  needs: ['reader'],
  summarize: ({ path }) => toolText('read_file.summary', { path: toQuoted(path) }),
  paths: ({ path }) => [path],
  async handler({ path, maxBytes, offset, limit }, { reader }, { seen }) {
    await requireFile(reader, path);
    const isPart = offset !== undefined || limit !== undefined;
    const most = isPart ? MAX_PART_OF_BYTES : MAX_TEXT_BYTES;
    const file = await reader.read(path, { maxBytes: Math.min(maxBytes ?? most, most) }).catch((error: unknown) => {
      throw withHint(error, { isPart, maxBytes });
    });
    seen.set(path, file.version);
    const answer = { path, encoding: 'utf-8' as const, bytes: file.bytes };
    if (!isPart) return { ...answer, content: file.text };
    const lines = file.text.split('\n');
    const first = (offset ?? 1) - 1;
    const content = lines.slice(first, limit === undefined ? undefined : first + limit).join('\n');
    if (content.length > MAX_TEXT_BYTES) {
      throw new AppError('E_TOO_LARGE', `Those lines of ${path} are more than ${MAX_TEXT_BYTES} characters.`, {
        details: { path, totalLines: lines.length },
        hint: 'Ask for fewer lines with limit.',
        reason: 'file.tooLarge',
      });
    }
    return { ...answer, content, totalLines: lines.length };
  },
});

/** Largest file of which a part can be read. */
const MAX_PART_OF_BYTES = 64 * 1024 * 1024;

/** Adds a hint to `E_TOO_LARGE` that fits the limit that was exceeded. */
function withHint(error: unknown, { isPart, maxBytes }: { isPart: boolean; maxBytes: number | undefined }): unknown {
  if (!(error instanceof AppError) || error.code !== 'E_TOO_LARGE') return error;
  const { code, message, details, reason } = error;
  const limit = Number(details?.maxBytes);
  const hint =
    maxBytes !== undefined && limit === maxBytes
      ? 'Raise maxBytes, or leave it out.'
      : !isPart && limit === MAX_TEXT_BYTES
        ? 'Read some of its lines with offset and limit.'
        : 'No file of this size can be read here. Work with others.';
  return new AppError(code, message, { hint, cause: error, ...(details && { details }), ...(reason && { reason }) });
}
