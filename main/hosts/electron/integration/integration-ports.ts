import type { AppApi } from '../../../../shared/contract.ts';
import type { Composed } from '../../../compose.ts';
import type { AppLog } from '../diagnosis/app-log.ts';
import type { LiveSettings } from '../live-settings.ts';
import type { DesktopText } from '../text/desktop-text.ts';

/** Dependencies of the desktop conventions. */
export interface IntegrationPorts {
  composed: Composed;
  /** `composed.app` with the contract's types. */
  api: AppApi;
  settings: LiveSettings;
  /** Returns the texts in the app's current language. */
  text: () => DesktopText;
  log: AppLog;
}
