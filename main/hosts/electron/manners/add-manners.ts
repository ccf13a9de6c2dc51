import type { BrowserWindow } from 'electron';
import type { AppApi } from '../../../../shared/contract.ts';
import type { Composed } from '../../../compose.ts';
import type { AppLog } from '../diagnosis/app-log.ts';
import type { LiveSettings } from '../live-settings.ts';
import { keepMenu } from '../menu/keep-menu.ts';
import type { DesktopText } from '../text/desktop-text.ts';
import { followThemeColour } from './follow-theme.ts';
import { nameWindow } from './name-window.ts';
import { offerContextMenu } from './offer-context-menu.ts';
import { receiveFolder } from './receive-folder.ts';
import { rememberGames } from './remember-games.ts';
import { reportTurns } from './report-turns.ts';
import { followWheelZoom } from './zoom-window.ts';

/** Dependencies of the desktop conventions. */
export interface MannerPorts {
  composed: Composed;
  /** `composed.app` with the contract's types. */
  api: AppApi;
  settings: LiveSettings;
  /** Returns the texts in the app's current language. */
  text: () => DesktopText;
  log: AppLog;
}

/** Adds the desktop's conventions to a window; each is one file in this folder. Call before the page is loaded. */
export function addManners(window: BrowserWindow, ports: MannerPorts): void {
  keepMenu(window, ports);
  nameWindow(window, ports);
  rememberGames(ports);
  reportTurns(window, ports);
  offerContextMenu(window, ports);
  receiveFolder(window, ports);
  followThemeColour(window);
  followWheelZoom(window);
}
