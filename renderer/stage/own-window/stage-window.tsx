import { useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { i18n } from '../../i18n/setup.ts';
import { onStopped } from '../../state/stage/stage-focus.ts';
import type { StageWindowState } from '../../state/stage/stage-window-state.ts';
import { Message } from '../../ui/message.tsx';
import { StagePicture } from '../stage-picture.tsx';
import type { LinkToApp } from './link-to-app.ts';
import classes from './stage-window.module.css';

/** The root of the stage's own window: the picture, as the page that opened the window says. */
export function StageWindow({ link }: { link: LinkToApp | null }) {
  const { t } = useTranslation('stage');
  return (
    <main className={classes.root} aria-label={t('title')}>
      {link ? <LinkedPicture link={link} /> : <Alone />}
    </main>
  );
}

function LinkedPicture({ link: { store, send } }: { link: LinkToApp }) {
  const state = useStore(store, (held) => held.state);
  useEffect(() => onStopped((reason) => send({ kind: 'stopped', reason })), [send]);
  if (state === null) return null;
  return (
    <>
      <Appearance locale={state.locale} theme={state.theme} game={state.game} />
      <StagePicture
        picture={state.picture}
        onReload={() => send({ kind: 'reload' })}
        onStopReplay={() => send({ kind: 'stop-replay' })}
      />
    </>
  );
}

/** Gives the window the language, theme and title of the app's page. Renders nothing. */
function Appearance({ locale, theme, game }: Pick<StageWindowState, 'locale' | 'theme' | 'game'>) {
  const { t } = useTranslation('stage');
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => setColorScheme(theme), [theme, setColorScheme]);
  useEffect(() => void i18n.changeLanguage(locale), [locale]);
  useEffect(() => {
    document.title = t('window.title', { game });
  }, [t, game]);
  return null;
}

/** A window that no page of the app tells what to show: one that was loaded again closes, one that was opened by hand explains itself. */
function Alone() {
  const { t } = useTranslation('stage');
  useEffect(() => window.close(), []);
  return <Message text={t('window.alone')} hint={t('window.aloneHint')} />;
}
