import { ChatMode } from '../../../shared/model/chat.ts';

const DRAFT_KEY = 'webgal-agent.draft';
const MODE_KEY = 'webgal-agent.mode';

/** Returns the stored composer text, which survives a reload and a restart of the app. */
export function readDraft(): string {
  return read(DRAFT_KEY) ?? '';
}

/** Stores the composer text until it is sent or deleted. */
export function keepDraft(draft: string): void {
  keep(DRAFT_KEY, draft);
}

/** Returns the stored composer mode; null if none is stored. */
export function readMode(): ChatMode | null {
  return ChatMode.safeParse(read(MODE_KEY)).data ?? null;
}

/** Stores the composer mode. */
export function keepMode(mode: ChatMode): void {
  keep(MODE_KEY, mode);
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage is not accessible: the values last as long as the page.
    return null;
  }
}

function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage is full or not accessible, see above.
  }
}
