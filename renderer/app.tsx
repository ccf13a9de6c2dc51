import { useEffect } from 'react';
import { connectQueue } from './chat/chat-actions.ts';
import { connectChat } from './chat/chat-store.ts';
import { connectEditor } from './editor/editor-store.ts';
import { connectFileChanges } from './editor/file-changes.ts';
import { connectHistory } from './history/history-store.ts';
import { connectLanguage } from './language/language-service.ts';
import { connectProject, useProject } from './project/project-store.ts';
import { connectReview } from './review/review-store.ts';
import { connectSettings } from './settings/settings-store.ts';
import { useAppearance } from './settings/use-appearance.ts';
import { connectCommands } from './shell/commands.ts';
import { connectNotices } from './shell/notices.ts';
import { ShortcutsSheet } from './shell/shortcuts-sheet.tsx';
import { Workbench } from './shell/workbench.tsx';
import { connectStage } from './stage/stage-store.ts';
import { isNotConnected } from './ui/describe-error.ts';
import { connectUpdates } from './updates/updates-store.ts';
import { FolderChooser } from './welcome/folder-chooser.tsx';
import { GameChoice } from './welcome/game-choice.tsx';
import { NotConnected } from './welcome/not-connected.tsx';
import { Welcome } from './welcome/welcome.tsx';

let isConnected = false;

/** Connects the store of each area once; no area depends on the store of another. */
function connectOnce(): void {
  if (isConnected) return;
  isConnected = true;
  connectSettings();
  connectProject();
  connectHistory();
  connectChat();
  connectQueue();
  connectReview();
  connectNotices();
  connectCommands();
  connectEditor();
  connectFileChanges();
  connectLanguage();
  connectStage();
  connectUpdates();
}

/** The root component: the welcome page until a game is open, then the workbench. */
export function App() {
  useEffect(connectOnce, []);
  useAppearance();
  const isKnown = useProject((state) => state.isKnown);
  const project = useProject((state) => state.project);
  const openError = useProject((state) => state.openError);
  // Same splash as in `index.html`, until the state is known.
  if (!isKnown) {
    return (
      <main>
        <h1 className="splash" translate="no">
          WebGAL Agent
        </h1>
      </main>
    );
  }
  if (isNotConnected(openError)) return <NotConnected />;
  return (
    <>
      {project ? <Workbench key={project.id} project={project} /> : <Welcome />}
      <FolderChooser />
      <GameChoice />
      <ShortcutsSheet />
    </>
  );
}
