import { Notifications } from '@mantine/notifications';

/**
 * Where notifications are shown: the last stop of F6 navigation while there are any. Without a name, because the widget repeats it
 * for each corner of the window; each notification is announced on its own.
 */
export function NoticeArea() {
  return <Notifications position="bottom-right" limit={5} data-region="controls" tabIndex={-1} />;
}
