import { Center } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Message } from '../ui/message.tsx';

/** What a browser shows without the session: opened without the launch link, or after the app was started again. */
export function NotConnected() {
  const { t } = useTranslation('errors');
  return (
    <Center component="main" h="100vh">
      <Message tone="error" text={t('app.notConnected')} />
    </Center>
  );
}
