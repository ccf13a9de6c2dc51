import type { StageSource } from '../../../../shared/model/stage.ts';
import { toFilePath } from '../../../../shared/script/project-index/file-names.ts';
import { SCENE_FOLDER, START_PATH } from '../../../../shared/script/project-index/project-facts.ts';
import { findReached } from '../../../../shared/script/story/story-path.ts';
import { scanChoices } from '../../../../shared/script/syntax/choices.ts';
import { type Statement, scanScene } from '../../../../shared/script/syntax/scan.ts';
import type { SceneTexts } from './scene-texts.ts';

/** Limits the search, so that a jump is not held up: what was read by then is kept for the next one. */
const MAX_SCENES = 500;
const MAX_TIME_MS = 1_000;

/** A statement that leads to another scene. */
interface SceneLink {
  to: string;
  /** 0-based statement. */
  at: number;
  /** The option (its place in the menu); absent for other statements. */
  option?: number;
}

/** How the story comes to a scene. */
export interface SceneRoute {
  /** The scenes before it from the start of the game, each with the statement (0-based) and option by which it is left. */
  scenes: { path: string; at: number; option?: number }[];
  /** The scenes from which the story can come; the route takes one of them. */
  entries: string[];
  /** `scene`: nothing leads there from the start. `far`: the search was given up. */
  failure: 'scene' | 'far' | null;
}

/** Where scenes lead, kept until their texts change. */
export interface SceneRoutes {
  /** Finds a shortest route by the number of scenes. `entry`: the scene that the user chose to come from. */
  find(path: string, source: StageSource, entry?: string): Promise<SceneRoute>;
  /** Forgets what was read of files on the disk. */
  forget(paths: readonly string[]): void;
}

export function createSceneRoutes(texts: SceneTexts): SceneRoutes {
  const known = new Map<string, { drafted: string | undefined; links: readonly SceneLink[] }>();
  let changes = 0;

  const linksOf = async (path: string, source: StageSource, drafted: string | undefined) => {
    const kept = known.get(path);
    if (kept && kept.drafted === drafted) return kept.links;
    const before = changes;
    // A scene that cannot be read leads nowhere.
    const text = drafted ?? (await texts.read(path, source).catch(() => ''));
    const links = findLinks(scanScene(text));
    if (before === changes) known.set(path, { drafted, links });
    return links;
  };

  return {
    async find(path, source, entry) {
      if (path === START_PATH) return { scenes: [], entries: [], failure: null };
      const overlay = texts.overlay(source);
      const end = performance.now() + MAX_TIME_MS;
      const came = new Map<string, { path: string; link: SceneLink } | null>([[START_PATH, null]]);
      const entries = new Map<string, SceneLink>();
      let isGivenUp = false;
      let count = 0;
      for (const scene of came.keys()) {
        count += 1;
        isGivenUp = count > MAX_SCENES || performance.now() > end;
        if (isGivenUp) break;
        for (const link of await linksOf(scene, source, overlay.get(scene))) {
          if (link.to === path) entries.set(scene, entries.get(scene) ?? link);
          else if (!came.has(link.to)) came.set(link.to, { path: scene, link });
        }
      }
      const from = entry !== undefined && entries.has(entry) ? entry : [...entries.keys()][0];
      if (from === undefined) return { scenes: [], entries: [], failure: isGivenUp ? 'far' : 'scene' };
      const scenes: SceneRoute['scenes'] = [];
      let next: { path: string; link: SceneLink | undefined } | null = { path: from, link: entries.get(from) };
      while (next?.link) {
        const { at, option } = next.link;
        scenes.unshift({ path: next.path, at, ...(option !== undefined && { option }) });
        next = came.get(next.path) ?? null;
      }
      return { scenes, entries: [...entries.keys()], failure: null };
    },
    forget(paths) {
      changes += 1;
      for (const path of paths) known.delete(path);
    },
  };
}

/** Returns the first statement that leads to each other scene, of those that the story can reach within the scene. */
function findLinks(statements: readonly Statement[]): SceneLink[] {
  const links = new Map<string, SceneLink>();
  const isReached = findReached(statements);
  for (const [at, statement] of statements.entries()) {
    if (!isReached[at]) continue;
    const targets = toTargets(statement).filter(({ name }) => !name.includes('{'));
    for (const { name, option } of targets) {
      const to = toFilePath(SCENE_FOLDER.replace(/^game\/|\/$/g, ''), name);
      if (!links.has(to)) links.set(to, { to, at, ...(option !== undefined && { option }) });
    }
  }
  return [...links.values()];
}

function toTargets({ command, content }: Statement): { name: string; option?: number }[] {
  if (command?.name === 'changeScene' || command?.name === 'callScene') return [{ name: content }];
  if (command?.name !== 'choose') return [];
  return scanChoices(content, 0, content.length).flatMap(({ isScene, target }, option) =>
    isScene ? [{ name: target.trim(), option }] : [],
  );
}
