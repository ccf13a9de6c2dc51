import type { AppCommand } from '../../shared/model/command.ts';
import { api } from '../api.ts';
import { closeFile, editorStore, flushSaves } from '../editor/editor-store.ts';
import { isCodeFocused, runInCode } from '../editor/shown-code.ts';
import { setNamingScene } from '../project/naming-scene.ts';
import { closeProject, openProject, pickProject, projectStore } from '../project/project-store.ts';
import { notifyError } from '../ui/notify.ts';
import { setAssistantOpen, setShortcutsShown, setStageOpen, shellStore, showView } from './shell-store.ts';

/** What can be commanded without an open game. */
const WITHOUT_GAME: readonly AppCommand['command'][] = [
  'openGame',
  'openRecent',
  'undo',
  'redo',
  'selectAll',
  'showShortcuts',
];

/**
 * Changes text where the cursor is. The editor keeps a history of its own, which the browser's commands do not reach;
 * in every other field the browser's are right.
 */
function edit(command: 'undo' | 'redo' | 'selectAll'): void {
  if (isCodeFocused()) runInCode(command === 'selectAll' ? 'editor.action.selectAll' : command);
  else document.execCommand(command);
}

async function run(asked: AppCommand): Promise<void> {
  if (!projectStore.getState().project && !WITHOUT_GAME.includes(asked.command)) return;
  const { isAssistantOpen, isStageOpen } = shellStore.getState();
  const { active } = editorStore.getState();
  switch (asked.command) {
    case 'newScene':
      // The form stands above the list of scenes.
      setStageOpen(true);
      return setNamingScene(true);
    case 'openGame':
      return pickProject();
    case 'openRecent':
      return openProject(asked.id);
    case 'closeGame':
      return closeProject();
    case 'closeTab':
      return active ? closeFile(active) : undefined;
    case 'save':
      return void (await flushSaves());
    case 'undo':
    case 'redo':
    case 'selectAll':
      return edit(asked.command);
    case 'find':
      showView('write');
      return runInCode('actions.find');
    case 'showView':
      return showView(asked.view);
    case 'toggleAssistant':
      return setAssistantOpen(!isAssistantOpen);
    case 'toggleStage':
      return setStageOpen(!isStageOpen);
    case 'showShortcuts':
      return setShortcutsShown(true);
  }
}

/** Carries out the host's menu items with the actions that the page's own buttons use; call once. */
export function connectCommands(): void {
  api.on('app.commanded', (asked) => void run(asked).catch(notifyError));
}
