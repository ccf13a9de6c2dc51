import { lazy, useEffect } from 'react';
import { AppAuditLog } from './audit-log/app-audit-log.tsx';
import { connectOnce } from './connect.ts';
import { ReplaceDialog } from './project/replace/replace-dialog.tsx';
import { AppearanceMenus } from './settings/appearance-menus.tsx';
import { useAppearance } from './settings/use-appearance.ts';
import { Workbench } from './shell/layout/workbench.tsx';
import { ShortcutsSheet } from './shell/shortcuts-sheet.tsx';
import { useProject } from './state/project/project-store.ts';
import { refuseOutsideDrops } from './ui/file-drag.ts';
import { isNotConnected } from './ui/text/describe-error.ts';
import { TextDiffContext } from './ui/text-diff.tsx';
import { FolderChooser } from './welcome/folder-chooser.tsx';
import { GameChoice } from './welcome/game-choice.tsx';
import { NotConnected } from './welcome/not-connected.tsx';
import { Welcome } from './welcome/welcome.tsx';

const MonacoDiff = lazy(async () => ({ default: (await import('./editor/monaco-diff.tsx')).MonacoDiff }));

function WelcomeMenus() {
  return (
    <>
      <AppAuditLog />
      <AppearanceMenus />
    </>
  );
}

/** The root component: the welcome page until a game is open, then the workbench. */
export function App() {
  useEffect(connectOnce, []);
  useEffect(refuseOutsideDrops, []);
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
    <TextDiffContext value={MonacoDiff}>
      {project ? <Workbench key={project.id} project={project} /> : <Welcome menus={<WelcomeMenus />} />}
      <FolderChooser />
      <GameChoice />
      <ShortcutsSheet />
      <ReplaceDialog />
    </TextDiffContext>
  );
}
