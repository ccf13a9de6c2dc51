import { app } from 'electron';
import { askQuestion } from '../ask-question.ts';
import { findDesktopText } from '../text/desktop-text.ts';

const SWITCH = '--safe-mode';

/** True for a start without a game, with a window as on the first day, and without the graphics card. */
export function isSafeModeAsked(args: readonly string[]): boolean {
  return args.includes(SWITCH);
}

/** Ends the app, after everything was saved, and starts it again as it was started, with or without safe mode. */
export function restartApp({ isSafe }: { isSafe: boolean }): void {
  const args = process.argv.slice(1).filter((argument) => argument !== SWITCH);
  app.relaunch({ args: isSafe ? [...args, SWITCH] : args });
  app.quit();
}

/** Asks whether to start in safe mode. Resolves to true when that is wanted. */
export async function offerSafeMode(): Promise<boolean> {
  const { message, detail, accept, refuse } = findDesktopText(app.getLocale()).safeMode;
  const answer = await askQuestion(null, { type: 'question', message, detail, buttons: [accept, refuse], cancelId: 1 });
  return answer === 0;
}
