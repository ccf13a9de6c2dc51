import { Button, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { discardFile } from '../state/documents/discard-file.ts';
import type { DocumentState, OpenMerge } from '../state/documents/document.ts';
import { closeFile, mergeConflict, openText, resolveConflict, saveFile } from '../state/documents/editor-store.ts';
import { useFocusBack } from '../ui/focus/use-focus-back.ts';
import { describeError } from '../ui/text/describe-error.ts';
import { CompareDialog } from './compare-dialog.tsx';
import classes from './document-bar.module.css';
import { MergeDialog } from './merge-dialog.tsx';

/** Shows why the text is not saved, with the possible actions. Renders nothing when it can be saved. */
export function DocumentBar({ path, state }: { path: string; state: DocumentState }) {
  const { t } = useTranslation('editor');
  const { t: tErrors } = useTranslation('errors');
  if (state.status === 'conflict') return <ConflictBar path={path} state={state} />;
  if (state.status === 'gone') {
    return (
      <Bar text={t('gone')}>
        <Button onClick={() => void resolveConflict(path, 'mine')}>{t('writeAgain')}</Button>
        <Button variant="default" onClick={() => discardFile(path)}>
          {t('discard')}
        </Button>
      </Bar>
    );
  }
  if (state.status === 'failed' && state.error) {
    return (
      <Bar text={`${t('saveFailed')} ${describeError(state.error, tErrors)}`}>
        <Button onClick={() => void saveFile(path)}>{t('saveAgain')}</Button>
      </Bar>
    );
  }
  if (state.status === 'unreadable' && state.error) {
    return (
      <Bar text={describeError(state.error, tErrors)}>
        <Button variant="default" onClick={() => void closeFile(path)}>
          {t('closeTab')}
        </Button>
      </Bar>
    );
  }
  return null;
}

/** Both sides changed the file: compare them, merge them, or choose one. */
function ConflictBar({ path, state }: { path: string; state: DocumentState }) {
  const { t } = useTranslation('editor');
  const [merge, setMerge] = useState<OpenMerge | null>(null);
  const [compared, setCompared] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const startMerge = async () => {
    setBusy(true);
    setMerge(await mergeConflict(path));
    setBusy(false);
  };
  return (
    <Bar text={t('conflict')}>
      <Button loading={isBusy} onClick={() => void startMerge()}>
        {t('merge.button')}
      </Button>
      <Button variant="default" onClick={() => setCompared(openText(path) ?? '')}>
        {t('compare')}
      </Button>
      <Button variant="default" onClick={() => void resolveConflict(path, 'mine')}>
        {t('keepMine')}
      </Button>
      <Button variant="default" onClick={() => void resolveConflict(path, 'theirs')}>
        {t('takeTheirs')}
      </Button>
      {merge && <MergeDialog path={path} merge={merge} onClose={() => setMerge(null)} />}
      {compared !== null && state.theirs && (
        <CompareDialog path={path} mine={compared} theirs={state.theirs.text} onClose={() => setCompared(null)} />
      )}
    </Bar>
  );
}

function Bar({ text, children }: { text: string; children: React.ReactNode }) {
  // Not to another field: what is typed next would be written there.
  const [isInText] = useState(() => document.activeElement?.closest('.monaco-editor') != null);
  useFocusBack(isInText);
  return (
    <div role="alert" className={classes.bar}>
      <IconAlertTriangle size={16} className={classes.icon} aria-hidden />
      <span className={classes.text}>{text}</span>
      <Group gap={6}>{children}</Group>
    </div>
  );
}
