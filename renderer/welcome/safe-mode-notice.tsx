import { Alert, Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../api.ts';
import { notifyError } from '../state/notify.ts';

/** A notice that the app runs in safe mode, and how to leave it. */
export function SafeModeNotice() {
  const { t } = useTranslation('welcome');
  return (
    <Alert color="yellow" variant="light" role="status" mx="lg">
      <Group justify="space-between">
        {t('safeMode')}
        <Button size="xs" variant="default" onClick={() => void api.call('app.restart', {}).catch(notifyError)}>
          {t('leaveSafeMode')}
        </Button>
      </Group>
    </Alert>
  );
}
