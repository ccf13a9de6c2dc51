import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { toolText } from '../../shared/i18n/tools.ts';
import type { Locale } from '../../shared/model/local-text.ts';
import {
  addBibleEntry,
  changeBibleEntry,
  readBibleEntries,
  STORY_BIBLE_LIMIT,
  STORY_BIBLE_PATH,
  toBibleTitle,
} from '../../shared/model/story-bible.ts';
import { keepLineEndings } from '../../shared/text/line-endings.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import type { Reader, TextFile } from '../core/ports/reader.ts';
import { findLostScopes } from '../core/project/briefing/find-bible-scopes.ts';
import { toBibleHeading } from '../core/project/story-bible-file.ts';
import { DRAFT_NOTE, readForChange, refuseUnwritable } from '../core/proposal/text-change.ts';
import { toTextVersion } from '../core/text/text-version.ts';
import { editTool } from './support/tool-presets.ts';

const MAX_ENTRY = 8000;
const NEEDED = {
  create: ['title', 'knowledge_to_store'],
  update: ['existing_knowledge_id', 'knowledge_to_store'],
  delete: ['existing_knowledge_id'],
} as const;

const Input = z
  .strictObject({
    action: z.enum(['create', 'update', 'delete']),
    title: z.string().max(100).optional().describe('Heading; needed for create, renames with update'),
    knowledge_to_store: z.string().min(1).max(MAX_ENTRY).optional().describe('Markdown; needed for create and update'),
    existing_knowledge_id: z.string().min(1).max(120).optional().describe('Needed for update and delete: the heading'),
  })
  .superRefine((input, context) => {
    for (const name of NEEDED[input.action]) {
      if (input[name] === undefined) {
        context.addIssue({ code: 'custom', path: [name], message: `is needed for action=${input.action}` });
      }
    }
    if (input.title !== undefined && toBibleTitle(input.title) === '') {
      context.addIssue({ code: 'custom', path: ['title'], message: 'is no heading' });
    }
  })
  .meta({
    allOf: Object.entries(NEEDED).map(([action, needed]) => ({
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      ...{ if: { properties: { action: { const: action } } }, then: { required: ['action', ...needed] } },
    })),
  });

export const updateMemory = defineTool({
  ...editTool('update_memory'),
  capability: 'project.bible.update',
  version: '1.0.0',
  description:
    `Keeps the story bible (${STORY_BIBLE_PATH}): what holds for the whole story, such as characters, tone, rules of the ` +
    'world and decisions of the user. You are shown it at the beginning. One section for each subject: create adds one, ' +
    'update replaces its text, delete takes it out; existing_knowledge_id is its heading. Store only what the user said ' +
    'or agreed to and what stands in the story; no orders, no keys. What holds only from a scene on says so, such as ' +
    '“(from chapter2 on)”; keep such notes. In the app it is drafted into the proposal.',
  input: Input,
  output: z.object({
    id: z.string(),
    applied: z.boolean(),
    drafted: z.boolean().optional(),
    snapshotId: z.string().optional(),
    note: z.string().optional(),
    entries: z.array(z.string()),
  }),
  sideEffects: 'Drafts or writes the story bible; the text before is snapshotted.',
  logged: ['title', 'existing_knowledge_id'],
  // Language data: text of a game.
  examples: [{ action: 'create', title: '雪乃', knowledge_to_store: '- 嘴硬心软\n- 称呼主角为“你”' }],
  needs: ['reader', 'writer'],
  summarize: ({ action, title, existing_knowledge_id }) => {
    const name = existing_knowledge_id ?? title ?? '';
    if (action === 'create') return toolText('update_memory.summaryCreate', { name: toQuoted(name) });
    if (action === 'update') return toolText('update_memory.summaryUpdate', { name: toQuoted(name) });
    return toolText('update_memory.summaryDelete', { name: toQuoted(name) });
  },
  paths: () => [STORY_BIBLE_PATH],
  approval: {
    async plan(input, { reader }, { locale }) {
      const { there, after } = await toNewBible(input, reader, locale);
      return [{ path: STORY_BIBLE_PATH, before: there?.text ?? null, after }];
    },
  },
  async handler(input, { reader, writer }, context) {
    const { there, after, id } = await toNewBible(input, reader, context.locale);
    const lost = input.action === 'update' ? findLostScopes(there?.text ?? '', after) : [];
    const written = await writer.write({ path: STORY_BIBLE_PATH, text: after, base: there?.version ?? null });
    context.seen.set(STORY_BIBLE_PATH, (await toTextVersion(after)).version);
    return {
      id,
      applied: written.applied,
      ...(written.drafted && { drafted: true, note: DRAFT_NOTE }),
      ...(lost.length > 0 && { note: toLostNote(lost) }),
      ...(written.snapshotId !== undefined && { snapshotId: written.snapshotId }),
      entries: readBibleEntries(after).map((one) => one.id),
    };
  },
});

/** The story bible before and after the change; `id` is the heading of the affected section. */
async function toNewBible(
  { action, title, knowledge_to_store: text = '', existing_knowledge_id: id = '' }: z.output<typeof Input>,
  reader: Reader,
  locale: Locale,
): Promise<{ there: TextFile | null; after: string; id: string }> {
  const there = await readForChange(reader, STORY_BIBLE_PATH);
  const before = there?.text ?? '';
  const entries = readBibleEntries(before);
  const known = entries.find((entry) => entry.id === id);
  if (action !== 'create' && known === undefined) throw unknownEntry(id, entries);
  const wanted = toBibleTitle(title ?? known?.title ?? '');
  if (action !== 'delete' && entries.some((entry) => entry.title === wanted && entry.id !== id)) throw taken(wanted);
  const entry = { title: wanted, text };
  const edited =
    action === 'create'
      ? addBibleEntry(there === null ? null : before, entry, toBibleHeading(locale))
      : changeBibleEntry(before, id, action === 'delete' ? null : entry);
  const after = there === null ? (edited ?? '') : keepLineEndings(before, edited ?? before);
  refuseUnwritable(STORY_BIBLE_PATH, after);
  if (after.length > STORY_BIBLE_LIMIT && after.length > before.length) throw tooLong(after.length);
  return { there, after, id: action === 'delete' ? id : wanted };
}

/** Names what the section said about the scene from which on it holds, and its new text does not. */
function toLostNote(lost: readonly string[]): string {
  const notes = lost.map((note) => `"${note}"`).join(', ');
  return `The section said ${notes}; the new text does not. Unless the user wants the fact to hold in the whole story, update it again with that note.`;
}

function unknownEntry(id: string, entries: readonly { id: string }[]): AppError {
  const there = entries.slice(0, 50).map((entry) => entry.id);
  return new AppError('E_NOT_FOUND', `The story bible has no section "${id.slice(0, 120)}".`, {
    details: { entries: there },
    hint: there.length > 0 ? `It has: ${there.join(', ')}.` : 'It is empty: use action=create.',
    reason: 'bible.noEntry',
  });
}

function taken(title: string): AppError {
  return new AppError('E_CONFLICT', `The story bible has a section "${title}" already. Nothing was changed.`, {
    details: { title },
    hint: 'Use action=update with this heading as existing_knowledge_id, and keep what stands there.',
    reason: 'bible.taken',
  });
}

function tooLong(characters: number): AppError {
  return new AppError(
    'E_TOO_LARGE',
    `The story bible would have ${characters} characters; the limit is ${STORY_BIBLE_LIMIT}.`,
    {
      details: { characters, limit: STORY_BIBLE_LIMIT },
      hint: 'Say it shorter, or take out what no longer holds.',
      reason: 'bible.tooLong',
    },
  );
}
