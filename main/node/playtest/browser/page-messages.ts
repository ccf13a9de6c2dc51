import type { ErrorData } from '../../../../shared/errors.ts';
import type { BrowserProgram } from '../../browser/browser-session.ts';

/** What the thread of a page receives when it starts. */
export interface PageTask {
  url: string;
  environment: Readonly<Record<string, string | undefined>>;
  program?: BrowserProgram;
}

export type PageOrder = { kind: 'evaluate'; id: number; script: string } | { kind: 'close' };

/** `ended` has no error where the page was closed as ordered. */
export type PageNews =
  | { kind: 'opened' }
  | { kind: 'answered'; id: number; text: string | null }
  | { kind: 'failed'; id: number; problem: string }
  | { kind: 'ended'; error?: ErrorData };
