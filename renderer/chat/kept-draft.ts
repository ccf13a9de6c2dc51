const KEY = 'webgal-agent.draft';

/** What stood in the composer when this window's page ended: a reload or a crash must not lose it. */
export function readDraft(): string {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    // Storage is closed to the page: drafts last as long as the page.
    return '';
  }
}

/** Keeps the composer's text for as long as the window is open. */
export function keepDraft(draft: string): void {
  try {
    sessionStorage.setItem(KEY, draft);
  } catch {
    // Full or closed storage, as above.
  }
}
