import { Notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';

/** Where notifications are shown: the last stop of F6 navigation while there are any. */
export function NoticeArea() {
  const { t } = useTranslation('shell');
  return (
    <Notifications
      position="bottom-right"
      limit={5}
      data-region
      tabIndex={-1}
      role="group"
      aria-label={t('regions.notices')}
    />
  );
}
