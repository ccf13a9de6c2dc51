import { useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ProblemsPanel } from '../problems/problems-panel.tsx';
import { useEditor } from '../state/documents/editor-store.ts';
import { settingsStore } from '../state/settings-store.ts';
import { showOnStage } from '../state/stage/stage-store.ts';
import { CodeArea } from './code-area.tsx';
import { DocumentBar } from './document-bar.tsx';
import classes from './editor-panel.module.css';
import { FileTabs } from './file-tabs.tsx';

/** Debounce between a cursor move and the stage showing that line. */
const FOLLOW_DELAY_MS = 160;

/** The editor: tabs of open files, the text and its problems. */
export function EditorPanel() {
  const { t } = useTranslation('editor');
  const active = useEditor((state) => state.active);
  const state = useEditor((editor) => editor.files.find((file) => file.path === editor.active)?.state);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const follow = useCallback((path: string, line: number) => {
    clearTimeout(timer.current);
    if (!path.startsWith('game/scene/') || !settingsStore.getState().settings.stageFollowsCursor) return;
    timer.current = setTimeout(() => showOnStage({ path, line, source: 'saved' }), FOLLOW_DELAY_MS);
  }, []);

  return (
    <section aria-label={t('region')} className={classes.panel}>
      <FileTabs />
      {active && state && <DocumentBar path={active} state={state} />}
      <div className={classes.code} hidden={!active}>
        <CodeArea onCursorLine={follow} />
      </div>
      {!active && <p className={classes.empty}>{t('empty')}</p>}
      <ProblemsPanel />
    </section>
  );
}
