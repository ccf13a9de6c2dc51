import type { AppCommand } from '../../../../shared/model/command.ts';
import type { RecentProject } from '../../../../shared/model/project.ts';
import type { DesktopText } from '../text/desktop-text.ts';
import type { HostActions } from './host-actions.ts';

/** The complete input of the menus: it determines texts, items and enabled states. */
export interface MenuFacts {
  text: DesktopText['menu'];
  isMac: boolean;
  hasGame: boolean;
  recents: readonly RecentProject[];
  /** Sends a command to the page. */
  command: (command: AppCommand) => void;
  actions: HostActions;
}
