import { delay, withAbort } from '../../../shared/async.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Locale } from '../../../shared/model/local-text.ts';
import type { StagePlace, StageProblem, StageState } from '../../../shared/model/stage.ts';
import { toProjectPath } from '../../../shared/paths/project-path.ts';
import { SCENE_FOLDER } from '../../../shared/script/project-index/project-facts.ts';
import { isStop } from '../../../shared/script/story/stage-text.ts';
import { scanScene } from '../../../shared/script/syntax/scan.ts';
import type { ProposalService, Stage } from '../services.ts';
import { toSafeWords } from './problems/to-problem.ts';
import type { StageRun } from './stage-run.ts';

/** Longer than a jump takes, even under load. */
const SCENE_TIMEOUT_MS = 10_000;
/** Missing files are reported shortly after the scene is shown. */
const PROBLEMS_DELAY_MS = 700;

interface PreviewPorts {
  proposals: Pick<ProposalService, 'reader' | 'texts' | 'current'>;
  locale(): Locale;
  start(): Promise<string>;
  state(): StageState;
  run(): StageRun | null;
  isConnected(): boolean;
  warnings(): string[];
  showNow(place: StagePlace): Promise<void>;
  watch(watcher: () => void): () => void;
}

/** Creates the assistant's preview: shows a scene and returns the result, as reported by the engine. */
export function createPreview(stage: PreviewPorts): Stage['preview'] {
  return async (scenePath, signal) => {
    const path =
      scenePath === undefined ? (stage.state().place?.path ?? 'game/scene/start.txt') : toProjectPath(scenePath);
    if (!path.startsWith(SCENE_FOLDER)) {
      throw new AppError('E_BAD_ARGS', `"${path}" is not a scene.`, {
        hint: 'Name a file in game/scene, such as game/scene/start.txt.',
        details: { path },
      });
    }
    const { text } = await stage.proposals.reader.read(path);
    const origin = await stage.start();
    const source = stage.proposals.texts().size > 0 ? 'proposal' : 'saved';
    const line = firstChangedLine(stage.proposals.current()?.files, path) ?? firstStop(text);
    await stage.showNow({ path, line, source });
    const url = `${origin}/?lang=${stage.locale()}&scene=${encodeURIComponent(path.slice(SCENE_FOLDER.length))}`;
    if (!stage.isConnected()) {
      const logs = ['The stage is not open, so nothing was played. The scene will show when the stage is opened.'];
      return { url, logs };
    }
    const hasSettled = await waitFor(stage, signal, () => (stage.run()?.settledAt ?? null) !== null || isStuck(stage));
    if (hasSettled) await pause(PROBLEMS_DELAY_MS, signal);
    const { shown, problems } = stage.state();
    const logs: string[] = [];
    if (hasSettled && !isStuck(stage) && shown) {
      const words = toSafeWords(shown.speaker ? `${shown.speaker}: ${shown.text}` : shown.text);
      logs.push(`The stage stands at line ${shown.line} of ${shown.scene}. In the text box: ${words || '(nothing)'}`);
    } else
      logs.push(
        `The stage did not get to line ${line}${shown ? `; it stands at line ${shown.line} of ${shown.scene}` : ''}.`,
      );
    logs.push(...problems.map(toLogLine), ...stage.warnings().map((warning) => `Warning: ${warning}`));
    const lines = problems.flatMap(({ place }) => (place?.path === path ? [place.line] : []));
    return { url, logs, ...(lines.length > 0 && { firstErrorLine: Math.min(...lines) }) };
  };
}

function firstChangedLine(
  files: readonly { path: string; hunks: readonly { startNew: number }[] }[] | undefined,
  path: string,
): number | undefined {
  return files?.find((file) => file.path === path)?.hunks[0]?.startNew;
}

function firstStop(text: string): number {
  return Math.max(0, scanScene(text).findIndex(isStop)) + 1;
}

function isStuck(stage: PreviewPorts): boolean {
  return stage.state().problems.some(({ reason }) => reason === 'stuck');
}

function toLogLine({ reason, subject, place }: StageProblem): string {
  const where = place ? `${place.path} line ${place.line}: ` : '';
  if (reason === 'stuck')
    return `${where}the story does not get past this line.${subject ? ` The engine says: ${subject}` : ''}`;
  if (reason === 'endless-jump') return `${where}the story jumps in a circle here without ever stopping`;
  if (reason === 'empty-menu') return `${where}every option of this menu is hidden, so the story stops`;
  if (reason === 'script-error') return `${where}the engine reports an error: ${subject}`;
  if (reason === 'blocked-address') return `${where}the game tried to reach ${subject}, which the stage does not allow`;
  if (reason === 'unreadable-file')
    return `${where}no browser can read the file, which is empty, cut off or a text: ${subject}`;
  return `${where}file not found: ${subject}`;
}

/** Resolves to true once `isTrue` holds, to false on timeout; rejects with `E_TIMEOUT` on cancellation. */
async function waitFor(stage: PreviewPorts, signal: AbortSignal, isTrue: () => boolean): Promise<boolean> {
  if (signal.aborted) throw stopped();
  if (isTrue()) return true;
  const ended = new AbortController();
  let stop = (): void => undefined;
  const changed = new Promise<boolean>((resolve) => {
    stop = stage.watch(() => {
      if (isTrue()) resolve(true);
    });
  });
  try {
    return await withAbort(
      Promise.race([changed, delay(SCENE_TIMEOUT_MS, ended.signal).then(isTrue)]),
      signal,
      stopped,
    );
  } finally {
    ended.abort();
    stop();
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, signal);
  if (signal.aborted) throw stopped();
}

function stopped(): AppError {
  return new AppError('E_TIMEOUT', 'The preview was stopped before the stage answered.');
}
