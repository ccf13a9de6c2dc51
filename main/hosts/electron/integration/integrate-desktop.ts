import type { BrowserWindow } from 'electron';
import { keepMenu } from '../menu/keep-menu.ts';
import { followThemeColour } from './follow-theme.ts';
import type { IntegrationPorts } from './integration-ports.ts';
import { nameWindow } from './name-window.ts';
import { offerContextMenu } from './offer-context-menu.ts';
import { receiveFolder } from './receive-folder.ts';
import { rememberGames } from './remember-games.ts';
import { reportTurns } from './report-turns.ts';
import { followWheelZoom } from './zoom-window.ts';

/** Adds the desktop's conventions to a window; each is one file in this folder. Call before the page is loaded. */
export function integrateDesktop(window: BrowserWindow, ports: IntegrationPorts): void {
  keepMenu(window, ports);
  nameWindow(window, ports);
  rememberGames(ports);
  reportTurns(window, ports);
  offerContextMenu(window, ports);
  receiveFolder(window, ports);
  followThemeColour(window);
  followWheelZoom(window);
}
