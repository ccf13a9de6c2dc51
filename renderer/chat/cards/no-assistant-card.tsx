import { Button } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { showView } from '../../state/navigation.ts';
import { useProject } from '../../state/project/project-store.ts';
import { startTour } from '../../workflows/open-project.ts';
import classes from './no-assistant-card.module.css';

/** Shown while no model is set up; offers two ways to continue. */
export function NoAssistantCard() {
  const { t } = useTranslation('chat');
  const opening = useProject((state) => state.opening);
  return (
    <section className={classes.root} aria-label={t('off.title')}>
      <h3 className={classes.title}>
        <IconPlugConnected size={17} aria-hidden />
        {t('off.title')}
      </h3>
      <p className={classes.text}>{t('off.text')}</p>
      <div className={classes.actions}>
        <Button onClick={() => showView('settings')}>{t('off.connect')}</Button>
        <Button variant="default" loading={opening === 'tour'} onClick={() => void startTour()}>
          {t('off.tour')}
        </Button>
      </div>
      <p className={classes.hint}>{t('off.tourHint')}</p>
    </section>
  );
}
