import { Button, Progress, TextInput } from '@mantine/core';
import { IconArchive } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCheckpoints } from '../../state/history/checkpoint-store.ts';
import { formatBytes } from '../../state/project/file-kinds.ts';
import { useBusy } from '../../ui/hooks/use-busy.ts';
import { keepState, stopStates } from '../../workflows/restore/restore-checkpoint.ts';
import classes from './checkpoints.module.css';

/** Keeps the present state under a name, and shows what runs and how much space is taken. */
export function KeepForm() {
  const { t, i18n } = useTranslation('history');
  const [name, setName] = useState('');
  const [isBusy, run] = useBusy();
  const usage = useCheckpoints((state) => state.usage);
  const submit = () =>
    run(async () => {
      if (await keepState(name)) setName('');
    });
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className={classes.keep}>
        <TextInput
          className={classes.grow}
          aria-label={t('states.name')}
          placeholder={t('states.namePlaceholder')}
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" leftSection={<IconArchive size={15} />} loading={isBusy}>
          {t('states.keep')}
        </Button>
      </div>
      <RunningWork />
      {usage && (
        <div className={classes.usage}>
          <Progress
            size="xs"
            value={Math.min(100, (usage.bytes / usage.limit) * 100)}
            color={usage.bytes > usage.limit * 0.9 ? 'var(--warn)' : 'var(--accent)'}
            aria-label={t('states.space')}
          />
          <span>
            {t('states.usage', {
              used: formatBytes(usage.bytes, i18n.language),
              limit: formatBytes(usage.limit, i18n.language),
            })}
          </span>
        </div>
      )}
    </form>
  );
}

/** What runs, with a button that ends it. */
function RunningWork() {
  const { t } = useTranslation('history');
  const progress = useCheckpoints((state) => state.progress);
  if (!progress) return null;
  const { work, files, total } = progress;
  return (
    <div className={classes.running} role="status">
      <span className={classes.grow}>{t(`states.running.${work}`, { files, total })}</span>
      <Button size="compact-xs" variant="default" onClick={stopStates}>
        {t('common:cancel')}
      </Button>
    </div>
  );
}
