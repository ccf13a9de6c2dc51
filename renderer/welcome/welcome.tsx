import { Alert, Button } from '@mantine/core';
import { IconBook2, IconFolderOpen, IconLock, IconMap2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isNoGame, useProject } from '../state/project/project-store.ts';
import { Logo } from '../ui/logo.tsx';
import { describeError } from '../ui/text/describe-error.ts';
import { openSample, pickProject, startTour } from '../workflows/open-project.ts';
import { NextSteps } from './next-steps.tsx';
import { RecentGames } from './recent-games.tsx';
import { SafeModeNotice } from './safe-mode-notice.tsx';
import { Seaside } from './seaside.tsx';
import { StartCard } from './start-card.tsx';
import classes from './welcome.module.css';

interface WelcomeProps {
  /** The menus for language and theme. */
  menus: ReactNode;
}

/** The welcome page: an introduction, three ways to start, and the recent games. */
export function Welcome({ menus }: WelcomeProps) {
  const { t } = useTranslation('welcome');
  const opening = useProject((state) => state.opening);
  const openError = useProject((state) => state.openError);
  const isBrowsing = useProject((state) => state.isBrowsing);
  const version = useProject((state) => state.version);
  const isSafeMode = useProject((state) => state.isSafeMode);
  return (
    <div className={classes.root}>
      <header className={classes.bar}>
        <Logo size={22} />
        <span className={classes.brand}>WebGAL Agent</span>
        <div className={classes.menus}>{menus}</div>
      </header>
      {isSafeMode && <SafeModeNotice />}
      <main className={classes.page} aria-label={t('region')}>
        <div className={classes.hero}>
          <Seaside />
          <h1 className={classes.title}>{t('title')}</h1>
          <p className={classes.lead}>{t('lead')}</p>
        </div>
        <div className={classes.ways}>
          <Button
            size="md"
            fullWidth
            leftSection={<IconFolderOpen size={18} stroke={1.6} />}
            loading={opening === 'pick'}
            onClick={() => void pickProject()}
          >
            {t('open')}
          </Button>
          {openError !== null && !isBrowsing && (
            <Alert color="red" variant="light" role="alert" mt="sm">
              {describeError(openError, t)}
              {isNoGame(openError) && <NextSteps error={openError} />}
            </Alert>
          )}
          <div className={classes.cards}>
            <StartCard
              icon={<IconMap2 size={20} stroke={1.5} />}
              title={t('tour')}
              hint={t('tourHint')}
              isBusy={opening === 'tour'}
              onClick={() => void startTour()}
            />
            <StartCard
              icon={<IconBook2 size={20} stroke={1.5} />}
              title={t('sample')}
              hint={t('sampleHint')}
              isBusy={opening === 'sample'}
              onClick={() => void openSample()}
            />
          </div>
          <RecentGames />
        </div>
      </main>
      <footer className={classes.foot}>
        <IconLock size={14} stroke={1.6} aria-hidden />
        <span>{t('privacy')}</span>
        {version && <span className={classes.version}>{t('version', { version })}</span>}
      </footer>
    </div>
  );
}
