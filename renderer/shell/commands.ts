import type { AppCommand } from '../../shared/model/command.ts';
import { api } from '../api.ts';
import { closeFile, editorStore, flushSaves } from '../state/documents/editor-store.ts';
import { isCodeFocused, runInCode } from '../state/monaco/shown-code.ts';
import {
  navigationStore,
  setAssistantOpen,
  setReplacing,
  setShortcutsShown,
  setStageOpen,
  showView,
} from '../state/navigation.ts';
import { notifyError } from '../state/notify.ts';
import { setNamingScene } from '../state/project/naming-scene.ts';
import { projectStore } from '../state/project/project-store.ts';
import { closeProject, openProject, pickProject } from '../workflows/open-project.ts';
import { showSearch } from '../workflows/show-file.ts';

/** Commands that are available without an open game. */
const WITHOUT_GAME: readonly AppCommand['command'][] = [
  'openGame',
  'openRecent',
  'undo',
  'redo',
  'selectAll',
  'showShortcuts',
];

/** Commands that move the focus or show something, which would be below the dialog that replaces text. */
const WITH_FOCUS: readonly AppCommand['command'][] = [
  'newScene',
  'find',
  'findInGame',
  'showView',
  'toggleAssistant',
  'toggleStage',
  'showShortcuts',
];

/**
 * Runs an editing command at the cursor. The editor has its own undo history, which the browser's commands do not
 * affect; other fields use the browser's commands.
 */
function edit(command: 'undo' | 'redo' | 'selectAll'): void {
  if (isCodeFocused()) runInCode(command === 'selectAll' ? 'editor.action.selectAll' : command);
  else document.execCommand(command);
}

async function run(asked: AppCommand): Promise<void> {
  if (!projectStore.getState().project && !WITHOUT_GAME.includes(asked.command)) return;
  const { isAssistantOpen, isStageOpen } = navigationStore.getState();
  const { active } = editorStore.getState();
  if (WITH_FOCUS.includes(asked.command)) setReplacing(false);
  switch (asked.command) {
    case 'newScene':
      // The form is above the list of scenes, in the stage's pane.
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
    case 'findInGame':
      return showSearch();
    case 'replaceInGame':
      return setReplacing(true);
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

/** Runs the host's menu items with the same actions as the page's buttons; call once. */
export function connectCommands(): void {
  api.on('app.commanded', (asked) => void run(asked).catch(notifyError));
}
