import { AppError } from '../../../../shared/errors.ts';
import type { StageSource } from '../../../../shared/model/stage.ts';
import { SCENE_FOLDER } from '../../../../shared/script/project-index/project-facts.ts';
import { scanChoices } from '../../../../shared/script/syntax/choices.ts';
import { type Statement, scanScene } from '../../../../shared/script/syntax/scan.ts';
import type { Reader } from '../../ports/reader.ts';
import type { Buffers, ProposalService } from '../../services.ts';

/** The game's texts per source. `saved`: the disk with unsaved text over it; `proposal`: the proposal over both. */
export interface SceneTexts {
  /** Returns the texts that differ from the disk, by project path. */
  overlay(source: StageSource): Map<string, string>;
  /** Rejects with the reader's error. */
  read(path: string, source: StageSource): Promise<string>;
  /** Returns the scanned scene, cached until the text changes. Empty if the scene cannot be read. */
  statements(path: string, source: StageSource): Promise<readonly Statement[]>;
  /** Returns all scenes by project path. Empty if there is no scene folder. */
  list(source: StageSource): Promise<string[]>;
}

interface SceneTextsPorts {
  reader: Reader;
  buffers: Buffers;
  proposals: Pick<ProposalService, 'played'>;
}

export function createSceneTexts({ reader, buffers, proposals }: SceneTextsPorts): SceneTexts {
  const scanned = new Map<string, { text: string; statements: readonly Statement[] }>();

  const overlay = (source: StageSource): Map<string, string> =>
    new Map([...buffers.all(), ...(source === 'proposal' ? proposals.played() : [])]);

  const read = async (path: string, source: StageSource): Promise<string> =>
    overlay(source).get(path) ?? (await reader.read(path)).text;

  return {
    overlay,
    read,
    async statements(path, source) {
      const text = await read(path, source).catch((error: unknown) => {
        // Missing or unreadable: there are no lines to report, and showing the scene reports the error.
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
 * Returns the scene for the engine's scene name, which is the path below the scene folder after a jump, and the file name after a change
 * of scene. Null if no scene matches: after a choice it is the option's label (`findChosenScene`).
 */
export function resolveScene(name: string, scenes: readonly string[]): string | null {
  const path = `${SCENE_FOLDER}${name.replace(/^\.?\/?game\/scene\//, '')}`;
  if (scenes.includes(path)) return path;
  const [same, another] = scenes.filter((scene) => scene.endsWith(`/${name}`));
  return another === undefined ? (same ?? null) : null;
}

/**
 * Returns the scene to which an option with a label leads; null if none does. `nth`: of the options with that label, from 1; without it
 * the first one that leads to a scene.
 */
export function findChosenScene(name: string, statements: readonly Statement[], nth?: number): string | null {
  const named = statements
    .filter(({ command }) => command?.content.kind === 'choices')
    .flatMap(({ content }) => [...scanChoices(content, 0, content.length)])
    .filter(({ label }) => label === name || label.replace(/\\([|:,;.\\])/g, '$1') === name);
  const chosen = nth === undefined ? named.find(({ isScene }) => isScene) : (named[nth - 1] ?? named.at(-1));
  return chosen?.isScene ? `${SCENE_FOLDER}${chosen.target}` : null;
}
