import { ChatMode } from '../../../shared/model/chat.ts';

const DRAFT = 'webgal-agent.draft';
const MODE = 'webgal-agent.mode';

/** What stood in the composer when the page ended: neither a reload nor closing the app must lose it. */
export function readDraft(): string {
  return read(DRAFT) ?? '';
}

/** Keeps the composer's text until it is sent or deleted. */
export function keepDraft(draft: string): void {
  keep(DRAFT, draft);
}

/** How the assistant was to work when the page ended; null at first. */
export function readMode(): ChatMode | null {
  return ChatMode.safeParse(read(MODE)).data ?? null;
}

/** Keeps the composer's mode. */
export function keepMode(mode: ChatMode): void {
  keep(MODE, mode);
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage is closed to the page: what is kept lasts as long as the page.
    return null;
  }
}

function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Full or closed storage, as above.
  }
}
