import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TerreState } from '../../../shared/model/stage/terre.ts';
import { api } from '../../api.ts';
import { useProject } from '../../state/project/project-store.ts';
import { describeError } from '../../ui/text/describe-error.ts';
import { SettingRow } from '../section.tsx';
import classes from './terre-settings.module.css';

interface Props {
  terre: TerreState;
  run: (action: () => Promise<unknown>) => void;
}

/** The program's folder: where it was found, and another one. The system's dialog where the host has one, else a field. */
export function TerreFolder({ terre: { folder, source, problem }, run }: Props) {
  const { t } = useTranslation('terre');
  const hasDialog = useProject((state) => state.hasFolderDialog);
  const where = source === null ? t('source.none') : t(`source.${source}`, { folder });
  return (
    <SettingRow label={t('folder')} hint={where}>
      <div className={classes.folder}>
        {hasDialog ? (
          <Button variant="default" onClick={() => run(() => api.call('terre.pick', {}))}>
            {t('choose')}
          </Button>
        ) : (
          <FolderField key={folder} />
        )}
        {source === 'chosen' && (
          <Button variant="subtle" color="gray" onClick={() => run(() => api.call('terre.choose', { folder: null }))}>
            {t('forget')}
          </Button>
        )}
      </div>
      {problem !== null && (
        <p className={classes.problem} role="alert">
          {describeError({ code: 'E_BAD_ARGS', reason: `terre.${problem}` }, t)}
        </p>
      )}
    </SettingRow>
  );
}

/** A typed path, checked when it is entered. */
function FolderField() {
  const { t } = useTranslation('terre');
  const [draft, setDraft] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const keep = () => {
    if (draft.trim() === '') return;
    api.call('terre.choose', { folder: draft.trim() }).then(() => setDraft(''), setFailure);
  };
  return (
    <>
      <TextInput
        w={240}
        aria-label={t('path')}
        placeholder={t('pathExample')}
        spellCheck={false}
        value={draft}
        error={failure !== null && describeError(failure, t)}
        onChange={(event) => {
          setDraft(event.currentTarget.value);
          setFailure(null);
        }}
        onKeyDown={(event) => event.key === 'Enter' && keep()}
      />
      <Button variant="default" disabled={draft.trim() === ''} onClick={keep}>
        {t('use')}
      </Button>
    </>
  );
}
