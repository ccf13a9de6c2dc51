import { i18n } from '../i18n/setup.ts';
import { reviewStore } from '../state/review/review-store.ts';
import { sendMessage } from './send-message.ts';

/** Requests that the assistant fixes the problems in the same proposal. */
export async function askToFix(): Promise<boolean> {
  const problems = reviewStore.getState().proposal?.newProblems ?? [];
  const list = problems.map(({ path, line, message }) => `- ${path}:${line} ${message}`);
  return sendMessage([i18n.t('review:problems.fixText'), ...list].join('\n'), { mode: 'act', withContext: false });
}
