import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { toolText, toolTexts } from '../../shared/i18n/tools.ts';
import type { Locale } from '../../shared/model/local-text.ts';
import { addBibleEntry, readBibleEntries, STORY_BIBLE_PATH, toBibleTitle } from '../../shared/model/story-bible.ts';
import { toProjectPath } from '../../shared/paths/project-path.ts';
import { toQuoted } from '../../shared/text/shown-text.ts';
import { defineTool } from '../core/capability/define-tool.ts';
import type { FileInfo, Reader, TextFile } from '../core/ports/reader.ts';
import { type CharacterFacts, collectCharacterFacts } from '../core/project/character-facts.ts';
import { isScene } from '../core/project/read-project-index.ts';
import { readTexts } from '../core/project/read-texts.ts';
import { toBibleHeading } from '../core/project/story-bible-file.ts';
import { DRAFT_NOTE, readForChange, refuseUnwritable } from '../core/proposal/text-change.ts';
import { toTextVersion } from '../core/text/text-version.ts';
import { requireFile } from './support/missing-file.ts';
import { editTool } from './support/tool-presets.ts';

const FIGURES = 'game/figure/';
const PICTURE = /\.(png|jpe?g|webp|gif|avif|apng|bmp|svg|json|skel|jsonl)$/i;
const MAX_LISTED = 12;

export const generateCharacterProfile = defineTool({
  ...editTool('generate_character_profile'),
  capability: 'project.bible.character',
  version: '1.0.0',
  description:
    `Adds a section for one character to the story bible (${STORY_BIBLE_PATH}), made from what the game itself says: the ` +
    'figure (imageFile, relative to game/figure), the usual expression if given, scenes with the number of lines, figures ' +
    'shown when the character speaks, and some lines as spoken. It does not look into the picture. Character and ' +
    'background are for update_memory. In the app it is drafted into the proposal.',
  input: z.strictObject({
    name: z.string().min(1).max(80).describe('As it stands before the colon in dialogues'),
    imageFile: z.string().min(1).max(400).describe('Figure, relative to game/figure'),
    defaultExpression: z.string().max(80).optional(),
  }),
  output: z.object({
    success: z.boolean(),
    id: z.string().optional(),
    applied: z.boolean().optional(),
    drafted: z.boolean().optional(),
    snapshotId: z.string().optional(),
    note: z.string().optional(),
    profile: z.string().optional(),
  }),
  sideEffects: 'Drafts or writes a section of the story bible; the text before is snapshotted.',
  timeout: 60_000,
  logged: ['name', 'imageFile'],
  // Language data: text of a game.
  examples: [{ name: '雪乃', imageFile: 'yukino.png', defaultExpression: '微笑' }],
  needs: ['reader', 'writer'],
  summarize: ({ name }) => toolText('generate_character_profile.summary', { name: toQuoted(name) }),
  paths: () => [STORY_BIBLE_PATH],
  approval: {
    async plan(input, { reader }, context) {
      const { there, text } = await toNewBible(input, reader, context);
      return [{ path: STORY_BIBLE_PATH, before: there?.text ?? null, after: text }];
    },
  },
  async handler(input, { reader, writer }, { signal, locale, seen }) {
    const { there, text, title, profile } = await toNewBible(input, reader, { signal, locale });
    const written = await writer.write({ path: STORY_BIBLE_PATH, text, base: there?.version ?? null });
    seen.set(STORY_BIBLE_PATH, (await toTextVersion(text)).version);
    return {
      success: true,
      id: title,
      applied: written.applied,
      ...(written.drafted && { drafted: true, note: DRAFT_NOTE }),
      ...(written.snapshotId !== undefined && { snapshotId: written.snapshotId }),
      profile,
    };
  },
});

/** The story bible's current text and the one with the new section `title`. */
async function toNewBible(
  {
    name,
    imageFile,
    defaultExpression = '',
  }: { name: string; imageFile: string; defaultExpression?: string | undefined },
  reader: Reader,
  { signal, locale }: { signal: AbortSignal; locale: Locale },
): Promise<{ there: TextFile | null; text: string; title: string; profile: string }> {
  const own = toBibleTitle(name);
  if (own === '') throw new AppError('E_BAD_ARGS', 'The name is empty.', { hint: 'Give the name of a character.' });
  const picture = toProjectPath(imageFile);
  const path = picture.startsWith(FIGURES) ? picture : `${FIGURES}${picture}`;
  const image = await requireFile(reader, path);
  if (!PICTURE.test(path)) {
    throw new AppError('E_BAD_ARGS', `${path} is not a figure.`, {
      details: { path },
      hint: 'Name a picture, or a Live2D or Spine model, in game/figure.',
    });
  }
  const title = toolTexts.translate(locale, 'generate_character_profile.profile.title', { name: own });
  const there = await readForChange(reader, STORY_BIBLE_PATH);
  // The user may have changed the language since.
  const titles = toolText('generate_character_profile.profile.title', { name: own });
  const taken = new Set([own, ...Object.values(titles)]);
  const known = readBibleEntries(there?.text ?? '').find((entry) => taken.has(entry.title));
  if (known !== undefined) {
    throw new AppError('E_CONFLICT', `The story bible has a section on ${own} already. Nothing was changed.`, {
      details: { existing_knowledge_id: known.id },
      hint: 'Use update_memory with this id, and keep what stands there.',
      reason: 'bible.taken',
    });
  }
  const facts = collectCharacterFacts(own, await readScenes(reader, signal));
  const profile = toProfile({ image, expression: toBibleTitle(defaultExpression), facts }, locale);
  const text = addBibleEntry(there?.text ?? null, { title, text: profile }, toBibleHeading(locale));
  refuseUnwritable(STORY_BIBLE_PATH, text);
  return { there, text, title, profile };
}

async function readScenes(reader: Reader, signal: AbortSignal): Promise<{ path: string; text: string }[]> {
  const files = await reader.list('game', { recursive: true, signal });
  const scenes: { path: string; text: string }[] = [];
  const wanted = files.filter((file) => isScene(file.path));
  for await (const batch of readTexts(reader, wanted, signal)) scenes.push(...batch);
  return scenes;
}

/** Formats the section in the user's language. Pure. */
function toProfile(
  { image, expression, facts }: { image: FileInfo; expression: string; facts: CharacterFacts },
  locale: Locale,
): string {
  type Part = 'figure' | 'expression' | 'lines' | 'scenes' | 'figures';
  const translate = toolTexts.createTranslator(locale);
  const say = (part: Part, value: string | readonly string[]) =>
    value.length === 0 ? [] : [`- ${translate(`generate_character_profile.profile.${part}`, { value })}`];
  const total = facts.scenes.reduce((sum, scene) => sum + scene.lines, 0);
  const format = (image.path.split('.').at(-1) ?? '').toUpperCase();
  const size = `${format}, ${Math.max(1, Math.round(image.bytes / 1024))} KB`;
  const scenes = facts.scenes
    .slice(0, MAX_LISTED)
    .map(({ scene, lines }) => translate('generate_character_profile.profile.scene', { scene, lines }));
  return [
    ...say('figure', `${image.path.slice(FIGURES.length)} (${size})`),
    ...say('expression', expression),
    ...say('lines', String(total)),
    ...say('scenes', scenes),
    ...say('figures', facts.figures.slice(0, MAX_LISTED)),
    ...(facts.samples.length > 0 ? [`- ${translate('generate_character_profile.profile.samples')}`] : []),
    ...facts.samples.map((line) => `  - ${line}`),
  ].join('\n');
}
