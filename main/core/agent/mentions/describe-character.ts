import { AppError } from '../../../../shared/errors.ts';
import { collectCharacterFacts } from '../../project/character-facts.ts';
import { currentProjectIndex } from '../../project/read-project-index.ts';
import type { DescribedMention, MentionSource } from './mention-source.ts';

/** Scenes that are read for one character; a protagonist speaks in thousands. */
const MAX_SCENES = 60;
const MAX_LISTED = 12;

/** A few lines of a speaker, the scenes with most lines, and the figures shown with them. Throws `E_NOT_FOUND` for no speaker. */
export async function describeCharacter(
  name: string,
  { reader, engine }: MentionSource,
  signal: AbortSignal,
): Promise<DescribedMention> {
  const index = await currentProjectIndex(reader, { ...engine, signal });
  const lines = index.speakers.count(name);
  if (lines === 0) throw new AppError('E_NOT_FOUND', `No line of ${name} is in the scenes any more.`);
  const speaking = [...index.scenes()]
    .filter(({ text }) => text.includes(name))
    .map(({ path, text }) => ({ path, text }));
  const step = Math.max(1, speaking.length / MAX_SCENES);
  const chosen = speaking.filter((_, place) => Math.floor(place / step) !== Math.floor((place - 1) / step));
  const { scenes, figures, samples } = collectCharacterFacts(name, chosen);
  const rest = speaking.length - chosen.length;
  const parts = [
    `Scenes with most lines: ${scenes
      .slice(0, MAX_LISTED)
      .map((scene) => `${scene.scene} (${scene.lines})`)
      .join(', ')}`,
    ...(rest > 0 ? [`${rest} more scenes name this character; search_files finds them.`] : []),
    ...(figures.length > 0 ? [`Figures shown before a line: ${figures.slice(0, MAX_LISTED).join(', ')}`] : []),
    ...(samples.length > 0 ? ['Lines as spoken:', ...samples.map((line) => `- ${line}`)] : []),
  ];
  return {
    facts: { kind: 'character', name, lines },
    toContent: (room) => parts.join('\n').slice(0, room).toWellFormed(),
  };
}
