import { AppError } from '../../../shared/errors.ts';
import type { StageSource } from '../../../shared/model/stage.ts';
import { SCENE_FOLDER } from '../../../shared/script/index/project-facts.ts';
import { scanChoices } from '../../../shared/script/syntax/choices.ts';
import { type Statement, scanScene } from '../../../shared/script/syntax/scan.ts';
import type { Buffers, ProposalDesk } from '../areas.ts';
import type { Reader } from '../ports.ts';

/** The game's texts as one of the two ways to look at it has them: disk, unsaved text over it, proposal over both. */
export interface SceneTexts {
  /** Texts that differ from the disk's, by project path. */
  overlay(source: StageSource): Map<string, string>;
  /** Rejects with the reader's error. */
  read(path: string, source: StageSource): Promise<string>;
  /** Scanned, and kept until the text changes. Empty when the scene cannot be read. */
  statements(path: string, source: StageSource): Promise<readonly Statement[]>;
  /** Every scene there is, by project path. Empty when there is no folder of scenes. */
  list(source: StageSource): Promise<string[]>;
}

interface SceneTextsPorts {
  reader: Reader;
  buffers: Buffers;
  desk: Pick<ProposalDesk, 'texts'>;
}

export function createSceneTexts({ reader, buffers, desk }: SceneTextsPorts): SceneTexts {
  const scanned = new Map<string, { text: string; statements: readonly Statement[] }>();

  const overlay = (source: StageSource): Map<string, string> =>
    new Map([...buffers.all(), ...(source === 'proposal' ? desk.texts() : [])]);

  const read = async (path: string, source: StageSource): Promise<string> =>
    overlay(source).get(path) ?? (await reader.read(path)).text;

  return {
    overlay,
    read,
    async statements(path, source) {
      const text = await read(path, source).catch((error: unknown) => {
        // Not there or not readable: it says nothing about any line, and showing it says why.
        if (error instanceof AppError) return '';
        throw error;
      });
      const known = scanned.get(path);
      if (known?.text === text) return known.statements;
      const statements = scanScene(text);
      scanned.set(path, { text, statements });
      return statements;
    },
    async list(source) {
      const paths = new Set([...overlay(source).keys()].filter((path) => path.startsWith(SCENE_FOLDER)));
      try {
        for (const file of await reader.list(SCENE_FOLDER.slice(0, -1), { recursive: true })) {
          if (!file.isDirectory) paths.add(file.path);
        }
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
      return [...paths].sort();
    },
  };
}

/**
 * The scene behind the name the engine gives it: the path below the folder of scenes after a jump, the file's bare name
 * after a change of scene, the option's words after a choice. Null when nothing fits.
 */
export function resolveScene(name: string, scenes: readonly string[], shown: readonly Statement[]): string | null {
  const path = `${SCENE_FOLDER}${name.replace(/^\.?\/?game\/scene\//, '')}`;
  if (scenes.includes(path)) return path;
  const sameName = scenes.filter((scene) => scene.endsWith(`/${name}`));
  if (sameName.length === 1) return sameName[0] ?? null;
  for (const statement of shown) {
    if (statement.command?.content.kind !== 'choices') continue;
    for (const choice of scanChoices(statement.content, 0, statement.content.length)) {
      if (choice.isScene && (choice.label === name || choice.label.replace(/\\([|:,;.\\])/g, '$1') === name)) {
        return `${SCENE_FOLDER}${choice.target}`;
      }
    }
  }
  return null;
}
