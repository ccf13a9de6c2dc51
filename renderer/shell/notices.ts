import { api, onConnection } from '../api.ts';
import { i18n } from '../i18n/setup.ts';
import { clearNotices, closeNotice, notify } from '../state/notify.ts';
import { describeError } from '../ui/text/describe-error.ts';

const LOST = 'lost';

/** Shows notices that the app sends on its own, and changes of the connection; call once. */
export function connectNotices(): void {
  api.on('app.noticed', ({ level, reason, details }) => {
    notify({ level, text: describeError({ code: 'E_INTERNAL', reason, details }, i18n.t) });
  });
  // Notices in the previous language would remain after a switch.
  i18n.on('languageChanged', clearNotices);
  onConnection((isConnected) => {
    closeNotice(LOST);
    if (isConnected) notify({ level: 'success', text: i18n.t('shell:back') });
    else notify({ level: 'warning', text: i18n.t('shell:lost'), key: LOST });
  });
}
