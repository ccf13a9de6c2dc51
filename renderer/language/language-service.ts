import { toErrorData } from '../../shared/errors.ts';
import type { Locale } from '../../shared/model/local-text.ts';
import type { Project } from '../../shared/model/project.ts';
import { SETTING_PATHS } from '../../shared/script/project-index/project-facts.ts';
import { api, onConnection } from '../api.ts';
import { i18n } from '../i18n/setup.ts';
import { editorStore, onTextChanged, openText } from '../state/documents/editor-store.ts';
import { holdQuestions, language, whenFed } from '../state/language/language.ts';
import type { LanguageClient } from '../state/language/language-client.ts';
import { prepareMonaco } from '../state/monaco/monaco.ts';
import { clearProblems, putProblems } from '../state/problems/problems-store.ts';
import { filesAreRead, projectStore } from '../state/project/project-store.ts';
import { storyLengthStore } from '../state/project/story-length-store.ts';
import { toBatches } from '../state/project/to-batches.ts';

/**
 * Debounce before the whole game is checked again; the open scene is checked immediately. At least
 * `CHECK_DELAY_FACTOR` times the duration of the last check, so that in a large game the open scene stays current.
 */
const WHOLE_GAME_DELAY_MS = 600;
const CHECK_DELAY_FACTOR = 3;

const isText = (path: string) => /^game\/scene\/.+\.txt$/i.test(path) || SETTING_PATHS.includes(path);

const locale = () => i18n.language as Locale;

/** Keeps the language service and the problems up to date; call once. */
export function connectLanguage(): void {
  prepareMonaco(async () => (await import('./features/register-features.ts')).registerFeatures);
  const client = language();
  const checker = createChecker(client);
  let project: Project | null = null;

  const follow = async (isAgain: boolean): Promise<void> => {
    const next = projectStore.getState().project;
    if (next?.id === project?.id && !isAgain) return;
    project = next;
    checker.restart();
    clearProblems();
    storyLengthStore.setState({ length: null });
    if (!next) return;
    const fed = feed(client, next, () => project === next);
    holdQuestions(fed);
    await fed;
    if (project === next) await checker.checkAll();
  };
  // Fails only when the app does not respond, which is shown elsewhere; `onConnection` starts again.
  const start = (isAgain: boolean) => void follow(isAgain).catch(() => undefined);

  projectStore.subscribe(() => start(false));
  onConnection((isConnected) => isConnected && start(true));
  i18n.on('languageChanged', () => void checker.checkAll().catch(() => undefined));
  start(false);

  const sendWhole = (path: string): void => {
    const text = openText(path);
    if (text === undefined) return;
    void client.call('setText', { path, text });
    checker.checkSoon(path);
  };
  onTextChanged((path, { edits, length }) => {
    if (!isText(path)) return;
    if (edits === null) {
      sendWhole(path);
      return;
    }
    // Copying a long scene to the worker at each keystroke would delay typing.
    void client.call('editText', { path, edits, length }).then((isTaken) => isTaken || sendWhole(path));
    checker.checkSoon(path);
  });

  api.on('project.filesChanged', ({ paths }) => {
    void refresh(client, paths)
      .then(() => checker.checkAllSoon())
      // The app does not respond, as above.
      .catch(() => undefined);
  });
}

/** Sends the service all paths and texts of a game. Stops when the game is no longer wanted. */
async function feed(client: LanguageClient, game: Project, isWanted: () => boolean): Promise<void> {
  await client.call('reset', { engineVersion: game.engineVersion, engine: game.engine ?? null });
  await filesAreRead();
  if (!isWanted()) return;
  const { files, paths } = projectStore.getState();
  sentPaths = paths;
  await client.call('setFiles', { paths: [...paths] });
  for (const batch of toBatches((files ?? []).filter(({ kind }) => kind === 'scene'))) {
    const { scenes, unreadable } = await api.call('project.scenes', { paths: batch });
    if (!isWanted()) return;
    await client.call('setTexts', {
      texts: scenes.map(({ path, text }) => ({ path, text: loadedText(path) ?? text })),
    });
    for (const { path, error } of unreadable) await client.call('setUnreadable', { path, code: error.code });
  }
  for (const path of SETTING_PATHS) if (isWanted() && paths.has(path)) await readInto(client, path);
}

/** As `openText`, but undefined also while the file is being read: the text on screen is empty then. */
function loadedText(path: string): string | undefined {
  const open = editorStore.getState().files.find((file) => file.path === path);
  return open?.state.status === 'loading' ? undefined : openText(path);
}

/** The paths sent last; unchanged ones, possibly thousands, are not sent again. */
let sentPaths: ReadonlySet<string> | undefined;

async function refresh(client: LanguageClient, changed: readonly string[]): Promise<void> {
  await filesAreRead();
  // While a game is sent, an older text of a changed file may follow.
  await whenFed();
  const { paths } = projectStore.getState();
  for (const path of changed.filter(isText)) {
    // Also while the file is open: the tab of a renamed file closes later, without a change notification.
    if (!paths.has(path)) await client.call('removeText', { path });
    else if (openText(path) === undefined) await readInto(client, path);
  }
  if (paths === sentPaths) return;
  sentPaths = paths;
  await client.call('setFiles', { paths: [...paths] });
}

async function readInto(client: LanguageClient, path: string): Promise<void> {
  try {
    const { text } = await api.call('script.read', { path });
    await client.call('setText', { path, text });
  } catch (error) {
    const { code } = toErrorData(error);
    // A file that was removed in the meantime is reported by `project.filesChanged`.
    if (code !== 'E_NOT_FOUND') await client.call('setUnreadable', { path, code });
  }
}

function createChecker(client: LanguageClient) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  let took = 0;
  let games = 0;
  const waiting = new Set<string>();

  async function checkAll(): Promise<void> {
    asked += 1;
    const own = asked;
    const game = games;
    // A check of a part of the game would count too few scenes and report files as missing.
    await whenFed();
    if (game !== games) return;
    const startedAt = performance.now();
    let news = await client.call('refreshProblems', { locale: locale() });
    took = performance.now() - startedAt;
    if (game !== games) return;
    // Also when a later check is running: each change is sent only once.
    while (!news.isLast) {
      putProblems(news.files);
      news = await client.call('nextNews', {});
      if (game !== games) return;
    }
    putProblems(news.files, true);
    if (own !== asked) return;
    const length = await client.call('measure', {});
    if (own === asked) storyLengthStore.setState({ length });
  }

  const checkAllSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void checkAll(), Math.max(WHOLE_GAME_DELAY_MS, took * CHECK_DELAY_FACTOR));
  };

  return {
    checkAll,
    checkAllSoon,
    /** Discards pending answers, which belong to the previous game. */
    restart(): void {
      games += 1;
    },
    /** Checks the scene as soon as the worker is free, and the whole game after a delay. */
    checkSoon(path: string): void {
      checkAllSoon();
      if (waiting.has(path)) return;
      waiting.add(path);
      const game = games;
      const check = async (): Promise<void> => {
        await whenFed();
        const found = await client.call('diagnose', { path, locale: locale() });
        waiting.delete(path);
        if (game === games) putProblems([{ path, found }]);
      };
      void check();
    },
  };
}
