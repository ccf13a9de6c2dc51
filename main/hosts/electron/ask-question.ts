import { type BrowserWindow, dialog, type MessageBoxOptions } from 'electron';

/** A question with two answers. */
export interface Question {
  type: 'question' | 'warning';
  message: string;
  detail: string;
  /** The first one is the default. */
  buttons: readonly [string, string];
  /** The answer when the dialog is closed. */
  cancelId: 0 | 1;
  /** Closes the dialog; the answer is then `cancelId`. */
  signal?: AbortSignal;
}

/**
 * Shows a system dialog, over the window when one is given, and resolves to the index of the pressed button. Does not block
 * the main process, so the page can save meanwhile.
 */
export async function askQuestion(window: BrowserWindow | null, question: Question): Promise<0 | 1> {
  const options: MessageBoxOptions = {
    ...question,
    buttons: [...question.buttons],
    title: 'WebGAL Agent',
    noLink: true,
    defaultId: 0,
  };
  const { response } = await (window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options));
  return response === 1 ? 1 : 0;
}
