import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useBusy } from '../../ui/hooks/use-busy.ts';
import { createSession } from '../chat-actions.ts';
import classes from './practice-banner.module.css';

/** States that the open conversation came with the game and is read-only, and offers a new one. */
export function ForeignBanner() {
  const { t } = useTranslation('chat');
  const [isBusy, run] = useBusy();
  return (
    <section className={classes.root} aria-label={t('foreign.label')}>
      <p className={classes.note}>
        <IconLock size={16} aria-hidden />
        <span>{t('foreign.text')}</span>
      </p>
      <Button variant="default" loading={isBusy} onClick={() => run(createSession)}>
        {t('sessions.new')}
      </Button>
    </section>
  );
}
