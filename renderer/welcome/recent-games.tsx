import { ActionIcon, Loader, UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { notifyError } from '../state/notify.ts';
import { forgetRecent, useProject } from '../state/project/project-store.ts';
import { useNow } from '../ui/hooks/use-now.ts';
import { timeAgo } from '../ui/text/time-ago.ts';
import { openProject } from '../workflows/open-project.ts';
import classes from './recent-games.module.css';

/** The recently opened games. Removing one from the list touches no files. */
export function RecentGames() {
  const { t, i18n } = useTranslation('welcome');
  const recents = useProject((state) => state.recents);
  const opening = useProject((state) => state.opening);
  const now = useNow();
  return (
    <section className={classes.root} aria-label={t('recent')}>
      <h2 className={classes.heading}>{t('recent')}</h2>
      {recents.length === 0 && <p className={classes.empty}>{t('recentEmpty')}</p>}
      <ul className={classes.list}>
        {recents.map((recent) => (
          <li key={recent.id} className={classes.item}>
            <UnstyledButton className={classes.open} onClick={() => void openProject(recent.id)}>
              <span className={classes.initial} aria-hidden>
                {opening === recent.id ? <Loader size={14} /> : [...recent.title][0]}
              </span>
              <span className={classes.names}>
                <span className={classes.title}>{recent.title}</span>
                <span className={classes.place}>
                  {t('inFolder', { place: recent.place })} · {timeAgo(recent.openedAt, i18n.language, now)}
                </span>
              </span>
            </UnstyledButton>
            <ActionIcon
              className={classes.forget}
              size="sm"
              aria-label={t('forget', { title: recent.title })}
              onClick={() => void forgetRecent(recent.id).catch(notifyError)}
            >
              <IconX size={14} />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </section>
  );
}
