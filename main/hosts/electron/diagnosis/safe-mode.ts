import { app } from 'electron';
import { askQuestion } from '../ask-question.ts';
import { findDesktopText } from '../text/desktop-text.ts';

const SWITCH = '--safe-mode';

/** True for a start without a game, with the default layout and without hardware acceleration. */
export function isSafeModeAsked(args: readonly string[]): boolean {
  return args.includes(SWITCH);
}

/** Quits the app after saving and starts it with the same arguments, with or without safe mode. */
export function restartApp({ isSafe }: { isSafe: boolean }): void {
  const args = process.argv.slice(1).filter((argument) => argument !== SWITCH);
  app.relaunch({ args: isSafe ? [...args, SWITCH] : args });
  app.quit();
}

/** Asks whether to start in safe mode. Resolves to true if the user accepts. */
export async function offerSafeMode(): Promise<boolean> {
  const { message, detail, accept, refuse } = findDesktopText(app.getLocale()).safeMode;
  const answer = await askQuestion(null, { type: 'question', message, detail, buttons: [accept, refuse], cancelId: 1 });
  return answer === 0;
}
