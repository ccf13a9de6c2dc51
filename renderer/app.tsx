import { useEffect } from 'react';
import { connectLanguage } from './language/language-service.ts';
import { useAppearance } from './settings/use-appearance.ts';
import { connectCommands } from './shell/commands.ts';
import { Workbench } from './shell/layout/workbench.tsx';
import { connectNotices } from './shell/notices.ts';
import { ShortcutsSheet } from './shell/shortcuts-sheet.tsx';
import { connectChat } from './state/chat/chat-store.ts';
import { connectEditor } from './state/documents/editor-store.ts';
import { connectHistory } from './state/history/history-store.ts';
import { connectProject, useProject } from './state/project/project-store.ts';
import { connectReview } from './state/review/review-store.ts';
import { connectSettings } from './state/settings-store.ts';
import { connectStage } from './state/stage/stage-store.ts';
import { connectUpdates } from './state/updates-store.ts';
import { isNotConnected } from './ui/text/describe-error.ts';
import { FolderChooser } from './welcome/folder-chooser.tsx';
import { GameChoice } from './welcome/game-choice.tsx';
import { NotConnected } from './welcome/not-connected.tsx';
import { Welcome } from './welcome/welcome.tsx';
import { connectFileChanges } from './workflows/file-changes.ts';
import { connectQueue } from './workflows/send-message.ts';

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
