import { z } from 'zod';
import { ProjectPath } from '../../../shared/paths/project-path.ts';
import { shorten } from '../../../shared/text/shorten.ts';
import { defineFace } from '../../core/capability/model-face.ts';
import { MAX_ANSWER_TEXT } from '../../core/capability/parsing/bound-answer.ts';
import type { SearchMatch } from '../../core/ports/reader.ts';
import { toMissing } from '../support/missing-file.ts';
import { NUMBERS_NOTE } from '../support/model-arguments.ts';

const DEFAULT_MATCHES = 100;
const MAX_MATCHES = 1000;
const MAX_AROUND = 20;
const MAX_LINE_LENGTH = 400;

export const searchFilesForModel = defineFace({
  description:
    'Searches the lines of text files for a JavaScript regular expression and returns them by file, with context lines ' +
    `around each match if asked. ${NUMBERS_NOTE} path is a folder or one file; filePattern is a glob, such as *.txt. For ` +
    'file names use list_files; when the wording is not known use codebase_search.',
  input: z.strictObject({
    regex: z.string().min(1).max(2000).describe('What to look for, e.g. jumpLabel:'),
    path: ProjectPath.default('.').describe('Folder or file; the whole project when left out'),
    filePattern: z.string().max(500).optional().describe('Glob, e.g. *.txt'),
    ignoreCase: z.boolean().default(false),
    context: z.int().min(0).max(MAX_AROUND).default(0).describe('Lines around each match'),
    maxMatches: z.int().min(1).default(DEFAULT_MATCHES),
    skip: z.int().min(0).default(0).describe('Matches to skip, to read on after leftOut'),
    multiline: z.boolean().default(false),
  }),
  output: z.object({
    found: z.int().min(0),
    files: z.array(z.object({ path: z.string(), lines: z.string() })),
    leftOut: z.string().optional(),
    note: z.string().optional(),
  }),
  unlisted: ['multiline'],
  aliases: {
    pattern: 'regex',
    query: 'regex',
    glob: 'filePattern',
    file_pattern: 'filePattern',
    '-i': 'ignoreCase',
    '-C': 'context',
  },
  logged: ['regex', 'filePattern'],
  // The tools that this one stands for. Other clients have them.
  earlier: [{ name: 'grep', major: 1, adapt: fromGrep }],
  // Language data: text of a game.
  examples: [{ regex: '雪乃', path: 'game/scene' }],
  needs: ['reader'],
  async handler(
    { path, regex, filePattern, ignoreCase, context, maxMatches, skip, multiline },
    { reader },
    { signal },
  ) {
    if ((await reader.stat(path)) === null) throw await toMissing(reader, path);
    const pattern = toPattern(regex);
    const wanted = Math.min(maxMatches, MAX_MATCHES);
    const matches = await reader.search({
      path,
      ...(filePattern !== undefined && { glob: filePattern.includes('/') ? filePattern : `**/${filePattern}` }),
      regex: pattern.source,
      flags: ignoreCase || pattern.ignoreCase ? 'i' : '',
      multiline,
      before: context,
      after: context,
      maxMatches: skip + wanted + 1,
      signal,
    });
    const { files, count } = toFiles(matches.slice(skip, skip + wanted));
    const isMore = matches.length > skip + count;
    return {
      found: count,
      files,
      ...(isMore && { leftOut: `There are more matches; read on with skip ${skip + count}, or search more narrowly.` }),
      ...(pattern.note !== undefined && { note: pattern.note }),
    };
  },
});

function fromGrep(input: Record<string, unknown>): Record<string, unknown> {
  const { pattern, glob, head_limit, '-i': ignoreCase, '-A': after, '-B': before, '-C': around, ...rest } = input;
  const context = Math.max(...[after, before, around].map(Number).filter((count) => count > 0), 0);
  return {
    ...rest,
    regex: pattern,
    ...(context > 0 && { context: Math.min(context, MAX_AROUND) }),
    ...(glob !== undefined && { filePattern: glob }),
    ...(head_limit !== undefined && { maxMatches: head_limit }),
    ...(ignoreCase !== undefined && { ignoreCase }),
  };
}

/** Takes flags at the beginning, and a text that is no regular expression literally. */
function toPattern(regex: string): { source: string; ignoreCase: boolean; note?: string } {
  const inline = /^\(\?([a-z]+)\)/.exec(regex);
  const source = inline === null ? regex : regex.slice(inline[0].length);
  const ignoreCase = inline?.[1]?.includes('i') ?? false;
  try {
    new RegExp(source, 'u');
    return { source, ignoreCase };
  } catch {
    // Without the flag u more patterns are valid; the reader decides with the same flags.
  }
  try {
    new RegExp(source);
    return { source, ignoreCase };
  } catch {
    const literal = source.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    return { source: literal, ignoreCase, note: 'regex is no regular expression, so it was searched literally.' };
  }
}

/** Groups matches by file, as many as fit into one answer; context lines of neighbours are shown once. */
function toFiles(matches: readonly SearchMatch[]): { files: { path: string; lines: string }[]; count: number } {
  const files: { path: string; lines: string[]; last: number }[] = [];
  let length = 0;
  let count = 0;
  for (const { path, line, preview, before = [], after = [] } of matches) {
    const known = files.at(-1)?.path === path ? files.at(-1) : undefined;
    const file = known ?? { path, lines: [], last: 0 };
    const start = line - before.length;
    const added: string[] = [];
    const all = [...before, ...preview.split('\n'), ...after];
    if (file.last > 0 && start > file.last + 1 && (before.length > 0 || after.length > 0)) added.push('…');
    for (const [index, text] of all.entries()) {
      if (start + index > file.last) added.push(`${start + index}| ${shorten(text, MAX_LINE_LENGTH)}`);
    }
    length += JSON.stringify(added).length + (known ? 0 : path.length + 30);
    if (length > MAX_ANSWER_TEXT && count > 0) break;
    file.lines.push(...added);
    file.last = Math.max(file.last, start + all.length - 1);
    if (!known) files.push(file);
    count += 1;
  }
  return { files: files.map(({ path, lines }) => ({ path, lines: lines.join('\n') })), count };
}
