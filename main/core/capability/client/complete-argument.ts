import { SCENE_FOLDER } from '../../../../shared/script/project-index/project-facts.ts';
import { summarizeScene } from '../../../../shared/script/story/outline.ts';
import type { Reader } from '../../ports/reader.ts';
import type { GameEngine } from '../../ports/workspace.ts';
import type { Snapshots } from '../../ports/writer.ts';
import { currentProjectIndex } from '../../project/read-project-index.ts';
import type { WaitingCalls } from '../approvals/waiting-calls.ts';

/** Most values of one answer, as the Model Context Protocol demands. */
const MAX_VALUES = 100;

/** What an argument names. `characters`: several, divided by commas, of which the last is completed. */
export type CompletedKind = 'scene' | 'label' | 'background' | 'characters' | 'snapshot' | 'approval';

export interface CompletionRequest {
  kind: CompletedKind;
  /** What was typed so far. */
  typed: string;
  /** For a label: the scene that was entered before, relative to the scene folder. */
  scene?: string | undefined;
  signal: AbortSignal;
}

export interface Completion {
  values: string[];
  total: number;
  hasMore: boolean;
}

interface CompletionOptions {
  /** Returns the reader of the game with the limits of its present policy; null while that cannot be read. */
  reader: () => Promise<Reader | null>;
  snapshots: Pick<Snapshots, 'list'>;
  /** The calls of this client that wait, or waited, for the user. */
  waiting: Pick<WaitingCalls, 'list'>;
  engine: () => Promise<GameEngine>;
}

/** Returns a function that finds the names of the game which an argument can have: those that begin like it first. */
export function createArgumentCompletion(
  options: CompletionOptions,
): (request: CompletionRequest) => Promise<Completion> {
  async function findNames({ kind, scene, signal }: CompletionRequest): Promise<Iterable<string>> {
    const reader = await options.reader();
    if (reader === null) return [];
    if (kind === 'snapshot') return (await options.snapshots.list({ limit: MAX_VALUES })).map(({ id }) => id);
    if (kind === 'approval') return (await options.waiting.list()).map(({ id }) => id);
    const index = await currentProjectIndex(reader, { ...(await options.engine()), signal });
    if (kind === 'characters') return [...index.speakers.names()];
    if (kind === 'label') {
      const summary = scene === undefined ? undefined : summarizeScene(index, `${SCENE_FOLDER}${scene}`);
      return (summary?.labels ?? []).map(({ name }) => name);
    }
    const folder = kind === 'scene' ? SCENE_FOLDER : 'game/background/';
    const inFolder = [...index.files.all()].filter((path) => path.startsWith(folder));
    const names = inFolder.map((path) => path.slice(folder.length)).filter((name) => !/(^|\/)\./.test(name));
    return kind === 'scene' ? names.filter((name) => name.toLowerCase().endsWith('.txt')) : names;
  }

  return async (request) => {
    const { kind, typed } = request;
    const before =
      kind === 'characters' ? typed.slice(0, Math.max(typed.lastIndexOf(','), typed.lastIndexOf('，')) + 1) : '';
    const last = typed.slice(before.length).trim();
    const entered = new Set(before.split(/[,，]/).map((name) => name.trim()));
    const names = [...new Set(await findNames(request))].filter((name) => !entered.has(name));
    const found = rank(names, last).map((name) => `${before}${name}`);
    return { values: found.slice(0, MAX_VALUES), total: found.length, hasMore: found.length > MAX_VALUES };
  };
}

/** Returns the names that contain what was typed, in order; those that begin with it first. */
function rank(names: readonly string[], typed: string): string[] {
  const wanted = typed.toLowerCase();
  const sorted = names.filter((name) => name.toLowerCase().includes(wanted)).sort();
  const begins = (name: string): boolean => name.toLowerCase().startsWith(wanted);
  return [...sorted.filter(begins), ...sorted.filter((name) => !begins(name))];
}
