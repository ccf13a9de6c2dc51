import { toErrorData } from '../../shared/errors.ts';
import type { Project } from '../../shared/model/project.ts';
import type { Locale } from '../../shared/model/text.ts';
import { SETTING_PATHS } from '../../shared/script/index/project-facts.ts';
import { api, onConnection } from '../api.ts';
import { onTextChanged, openText } from '../editor/editor-store.ts';
import { prepareMonaco } from '../editor/monaco.ts';
import { i18n } from '../i18n/setup.ts';
import { clearProblems, putProblems } from '../problems/problems-store.ts';
import { filesAreRead, projectStore } from '../project/project-store.ts';
import { storyLengthStore } from '../project/story-length-store.ts';
import { holdQuestions, language } from './language.ts';
import type { LanguageClient } from './language-client.ts';
import { registerFeatures } from './register-features.ts';

/**
 * The whole game is looked at again this long after the last change, in milliseconds; the open scene at once. A game
 * that takes longer to look at waits so many times as long as it took: the open scene is never far behind her.
 */
const WHOLE_GAME_DELAY = 600;
const PATIENCE = 3;

const isText = (path: string) => /^game\/scene\/.+\.txt$/i.test(path) || SETTING_PATHS.includes(path);

const locale = () => i18n.language as Locale;

/** Keeps the language service fed and the problems fresh; call once. */
export function connectLanguage(): void {
  prepareMonaco(registerFeatures);
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
    const fed = feed(client, next);
    holdQuestions(fed);
    await fed;
    if (project === next) await checker.checkAll();
  };
  // A failure here is the app not answering; the page says so elsewhere and `onConnection` starts over.
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
    // Copying a long scene for each key is what typing would wait for.
    void client.call('editText', { path, edits, length }).then((isTaken) => isTaken || sendWhole(path));
    checker.checkSoon(path);
  });

  api.on('project.filesChanged', ({ paths }) => {
    void refresh(client, paths)
      .then(() => checker.checkAllSoon())
      // As above: the app does not answer.
      .catch(() => undefined);
  });
}

/** Gives the service everything it has to know about a game. */
async function feed(client: LanguageClient, project: Project): Promise<void> {
  await client.call('reset', { engineVersion: project.engineVersion, engine: project.engine ?? null });
  const [{ scenes, unreadable }] = await Promise.all([api.call('project.scenes', {}), filesAreRead()]);
  const { paths } = projectStore.getState();
  toldPaths = paths;
  await client.call('setFiles', { paths: [...paths] });
  for (const { path, text } of scenes) await client.call('setText', { path, text: openText(path) ?? text });
  for (const { path, error } of unreadable) await client.call('setUnreadable', { path, code: error.code });
  for (const path of SETTING_PATHS) if (paths.has(path)) await readInto(client, path);
}

/** The paths that the service was given last: thousands of them are not worth sending again. */
let toldPaths: ReadonlySet<string> | undefined;

async function refresh(client: LanguageClient, changed: readonly string[]): Promise<void> {
  await filesAreRead();
  const { paths } = projectStore.getState();
  for (const path of changed.filter(isText)) {
    // Also while it is open: the tab of a file that got another name closes a moment later, and that is no news.
    if (!paths.has(path)) await client.call('removeText', { path });
    else if (openText(path) === undefined) await readInto(client, path);
  }
  if (paths === toldPaths) return;
  toldPaths = paths;
  await client.call('setFiles', { paths: [...paths] });
}

async function readInto(client: LanguageClient, path: string): Promise<void> {
  try {
    const { text } = await api.call('script.read', { path });
    await client.call('setText', { path, text });
  } catch (error) {
    const { code } = toErrorData(error);
    // Gone meanwhile: whoever watches the game says so.
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
    const startedAt = performance.now();
    const game = games;
    let news = await client.call('refreshProblems', { locale: locale() });
    took = performance.now() - startedAt;
    if (game !== games) return;
    // Also when a later look is under way: what was told once is not told again.
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
    timer = setTimeout(() => void checkAll(), Math.max(WHOLE_GAME_DELAY, took * PATIENCE));
  };

  return {
    checkAll,
    checkAllSoon,
    /** Another game: what is still on its way belongs to the one before. */
    restart(): void {
      games += 1;
    },
    /** The scene itself as soon as the worker gets to it, the rest of the game a little later. */
    checkSoon(path: string): void {
      checkAllSoon();
      if (waiting.has(path)) return;
      waiting.add(path);
      const game = games;
      void client.call('diagnose', { path, locale: locale() }).then((found) => {
        waiting.delete(path);
        if (game !== games) return;
        putProblems([{ path, found }]);
      });
    },
  };
}
