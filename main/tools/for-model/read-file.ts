import { z } from 'zod';
import { ProjectPath } from '../../../shared/paths/project-path.ts';
import { defineFace } from '../../core/capability/model-face.ts';
import { MAX_ANSWER_TEXT } from '../../core/capability/parsing/bound-answer.ts';
import { toNumberedPage, toTextLines } from '../../core/text/numbered-lines.ts';
import { toShownVersion } from '../support/change-answer.ts';
import { requireFile } from '../support/missing-file.ts';
import { NUMBERS_NOTE } from '../support/model-arguments.ts';

/** Largest file of which lines can be read. */
const MAX_BYTES = 64 * 1024 * 1024;

export const readFileForModel = defineFace({
  description:
    `Reads a text file (UTF-8) with numbered lines. ${NUMBERS_NOTE} A long file is returned in parts: leftOut says which ` +
    'lines are missing; read them with offset (first line, from 1) and limit (how many). Read a file before you change it.',
  input: z.strictObject({
    path: ProjectPath.describe('File, relative to the project root'),
    offset: z.int().min(0).optional().describe('First line to return, from 1'),
    limit: z.int().min(1).optional().describe('How many lines to return'),
    // Answers are bounded anyway.
    maxBytes: z.int().min(1).optional(),
  }),
  output: z.object({
    path: z.string(),
    content: z.string(),
    totalLines: z.int().min(0),
    version: z.string(),
    leftOut: z.string().optional(),
  }),
  unlisted: ['maxBytes'],
  aliases: { start_line: 'offset', startLine: 'offset', first_line: 'offset', line_count: 'limit', lines: 'limit' },
  needs: ['reader'],
  async handler({ path, offset = 1, limit }, { reader }, { seen }) {
    await requireFile(reader, path);
    const file = await reader.read(path, { maxBytes: MAX_BYTES });
    const lines = toTextLines(file.text);
    const first = Math.max(1, offset);
    const wanted = lines.slice(first - 1, limit === undefined ? undefined : first - 1 + limit);
    const { content, count, isTruncated } = toNumberedPage(wanted, {
      first,
      room: MAX_ANSWER_TEXT,
      toSize: toJsonSize,
    });
    seen.set(path, file.version);
    const leftOut = toLeftOut({ first, count, total: lines.length, isTruncated });
    return {
      ...{ path, content, totalLines: lines.length, version: toShownVersion(file.version) },
      ...(leftOut !== null && { leftOut }),
    };
  },
});

/** In JSON, line breaks and quotation marks are two characters. */
function toJsonSize(line: string): number {
  return JSON.stringify(line).length;
}

function toLeftOut({
  first,
  count,
  total,
  isTruncated,
}: {
  first: number;
  count: number;
  total: number;
  isTruncated: boolean;
}): string | null {
  const parts: string[] = [];
  if (first > total && total > 0) return `The file has only ${total} lines.`;
  if (isTruncated) parts.push(`line ${first} is too long; only its beginning is shown`);
  if (first > 1) parts.push(`lines 1-${first - 1}`);
  const next = first + count;
  if (next <= total) parts.push(`lines ${next}-${total}; read on with offset ${next}`);
  return parts.length === 0 ? null : `Not shown: ${parts.join('; ')}.`;
}
