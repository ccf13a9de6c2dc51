import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { toolText } from '../../shared/i18n/tools.ts';
import { ProjectPath } from '../../shared/paths/project-path.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import type { FileInfo, Reader } from '../core/ports/reader.ts';
import { readTexts } from '../core/project/read-texts.ts';
import { createPassageIndex, type PassageIndex } from '../core/search/passage-index.ts';
import { toMissing } from './support/missing-file.ts';
import { readTool } from './support/tool-presets.ts';

export const codebaseSearch = defineTool({
  ...readTool('codebase_search'),
  inChat: 'searched',
  capability: 'project.text.rank',
  version: '1.2.0',
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
    /** True when the game exceeds the index: the results are from a part of it. */
    partial: z.boolean().optional(),
    /** Requested folders that were not searched, and why. */
    skipped: z.array(z.object({ path: z.string(), reason: z.string() })).optional(),
  }),
  rateLimit: 120,
  timeout: 60_000,
  logged: ['query'],
  // Language data: text of a game.
  examples: [{ query: '雨夜 争吵 雪乃' }],
  needs: ['reader'],
  summarize: ({ query }) => toolText('codebase_search.summary', { query: toQuoted(query) }),
  // A closed or missing folder is skipped and does not fail the search; the reader granted to the tool refuses closed
  // folders.
  paths: () => [],
  async handler({ query, target_directories, limit }, { reader }, { signal, session }) {
    const infos = new Map<string, FileInfo>();
    const skipped: { path: string; reason: string }[] = [];
    let fault: AppError | undefined;
    for (const folder of target_directories ?? [SCENES]) {
      const listed = await listTexts(reader, folder, signal).catch((error: unknown) => {
        const isLeftOut =
          error instanceof AppError && (error.code === 'E_DENY_PATH' || error.reason === 'file.missing');
        if (isLeftOut) return error;
        throw error;
      });
      if (listed instanceof AppError) {
        fault ??= listed;
        skipped.push({ path: folder, reason: listed.message });
      } else for (const info of listed) infos.set(info.path, info);
    }
    // None of the requested folders can be searched: an empty result would be misleading.
    if (fault && skipped.length === target_directories?.length) throw fault;
    const files: { path: string; text: string }[] = [];
    for await (const batch of readTexts(reader, [...infos.values()], signal)) files.push(...batch);
    const index = indexOf(session, target_directories ?? [SCENES]);
    const isWhole = await index.update(files, signal);
    const results = index.search(query, limit);
    // A game without scenes has no results; a missing default folder is reported only when it was requested.
    const isReported = skipped.length > 0 && target_directories !== undefined;
    return { results, ...(!isWhole && { partial: true }), ...(isReported && { skipped }) };
  },
});

/** The files below a folder, or the one file. Throws the reader's errors, and `E_NOT_FOUND` with similar names. */
async function listTexts(reader: Reader, path: string, signal: AbortSignal): Promise<FileInfo[]> {
  const there = await reader.stat(path);
  if (there === null) throw await toMissing(reader, path);
  return there.isDirectory ? reader.list(path, { recursive: true, signal }) : [there];
}

const SCENES = 'game/scene';
const MAX_INDEXES = 2;
/** Session → folders → index. An index lives as long as its session, and contains only what the session may read. */
const sessions = new WeakMap<object, Map<string, PassageIndex>>();

function indexOf(session: object, folders: readonly string[]): PassageIndex {
  const indexes = sessions.get(session) ?? new Map<string, PassageIndex>();
  sessions.set(session, indexes);
  const key = [...folders].sort().join('\n');
  const index = indexes.get(key) ?? createPassageIndex();
  // Reinsert, so that the map is ordered by last use.
  indexes.delete(key);
  indexes.set(key, index);
  for (const oldest of indexes.keys()) {
    if (indexes.size <= MAX_INDEXES) break;
    indexes.delete(oldest);
  }
  return index;
}
