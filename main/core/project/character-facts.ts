import { SCENE_FOLDER } from '../../../shared/script/project-index/project-facts.ts';
import { scanScene } from '../../../shared/script/syntax/scan.ts';

const MAX_SAMPLES = 5;
const MAX_SAMPLE = 80;

/** Facts about one character, read from the scenes. */
export interface CharacterFacts {
  /** Scenes with lines of the character, most lines first. */
  scenes: { scene: string; lines: number }[];
  /** Figure files shown directly before the character speaks, most frequent first. */
  figures: string[];
  /** Spoken lines from different parts of the story. */
  samples: string[];
}

/** Collects the facts about one character. A line without a name belongs to the previous speaker, as in the engine. */
export function collectCharacterFacts(name: string, scenes: readonly { path: string; text: string }[]): CharacterFacts {
  const counts: { scene: string; lines: number }[] = [];
  const figures = new Map<string, number>();
  const spoken: string[] = [];
  for (const { path, text } of scenes) {
    let lines = 0;
    let speaker = '';
    let shown: string | null = null;
    for (const statement of scanScene(text)) {
      const kind = statement.command?.name;
      if (kind === 'changeFigure') shown = statement.content === 'none' ? null : statement.content;
      if (kind !== 'say') continue;
      speaker = statement.speaker ?? speaker;
      if (speaker.trim() !== name) continue;
      lines++;
      const line = statement.content.replaceAll('|', ' ').trim();
      if (line !== '') spoken.push(line.length > MAX_SAMPLE ? `${line.slice(0, MAX_SAMPLE)}…` : line);
      if (shown !== null) figures.set(shown, (figures.get(shown) ?? 0) + 1);
      shown = null;
    }
    if (lines > 0) counts.push({ scene: path.slice(SCENE_FOLDER.length), lines });
  }
  const step = Math.max(1, Math.floor(spoken.length / MAX_SAMPLES));
  return {
    scenes: counts.sort((a, b) => b.lines - a.lines || (a.scene < b.scene ? -1 : 1)),
    figures: [...figures].sort(([, a], [, b]) => b - a).map(([file]) => file),
    samples: spoken.filter((_, index) => index % step === 0).slice(0, MAX_SAMPLES),
  };
}
