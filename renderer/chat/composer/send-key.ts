import type { KeyboardEvent } from 'react';

/** True for an Enter key that sends. Enter during IME composition selects a candidate and must not send. */
export function isSendKey(event: KeyboardEvent): boolean {
  const isComposing = event.nativeEvent.isComposing || event.keyCode === 229;
  return event.key === 'Enter' && !event.shiftKey && !event.altKey && !isComposing;
}
