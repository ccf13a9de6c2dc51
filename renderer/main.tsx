import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './ui/theme/base.css';
import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { guessLocale, setUpI18n } from './i18n/setup.ts';
import { NoticeArea } from './shell/notice-area.tsx';
import { linkToApp } from './stage/own-window/link-to-app.ts';
import { StageWindow } from './stage/own-window/stage-window.tsx';
import { STAGE_WINDOW_QUERY } from './state/stage/stage-window-state.ts';
import { cssVariables, theme } from './ui/theme/theme.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');

const isStageWindow = location.search === STAGE_WINDOW_QUERY;

await setUpI18n(guessLocale());
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      {!isStageWindow && <NoticeArea />}
      {isStageWindow ? <StageWindow link={linkToApp()} /> : <App />}
    </MantineProvider>
  </StrictMode>,
);
