import { Center } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Message } from '../ui/message.tsx';

/** The page for a browser without a session: opened without the launch link, or after the app was restarted. */
export function NotConnected() {
  const { t } = useTranslation('errors');
  return (
    <Center component="main" h="100vh">
      <Message tone="error" text={t('app.notConnected')} />
    </Center>
  );
}
