import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditor } from '../state/documents/editor-store.ts';
import { followCursor } from '../workflows/follow-cursor.ts';
import { CodeArea } from './code-area.tsx';
import { DocumentBar } from './document-bar.tsx';
import classes from './editor-panel.module.css';
import { FileTabs } from './file-tabs.tsx';

interface EditorPanelProps {
  /** The list below the text. */
  problems: ReactNode;
}

/** The editor: tabs of open files, the text and its problems. */
export function EditorPanel({ problems }: EditorPanelProps) {
  const { t } = useTranslation('editor');
  const active = useEditor((state) => state.active);
  const state = useEditor((editor) => editor.files.find((file) => file.path === editor.active)?.state);

  return (
    <section aria-label={t('region')} className={classes.panel}>
      <FileTabs />
      {active && state && <DocumentBar path={active} state={state} />}
      <div className={classes.code} hidden={!active}>
        <CodeArea onCursorLine={followCursor} />
      </div>
      {!active && <p className={classes.empty}>{t('empty')}</p>}
      {problems}
    </section>
  );
}
