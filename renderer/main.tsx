import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './ui/theme/base.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { guessLocale, setUpI18n } from './i18n/setup.ts';
import { cssVariables, theme } from './ui/theme/theme.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');

await setUpI18n(guessLocale());
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <Notifications position="bottom-right" limit={3} />
      <App />
    </MantineProvider>
  </StrictMode>,
);
