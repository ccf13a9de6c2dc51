const FIELD = 'input, textarea, [contenteditable="true"], [role="textbox"]';

/** Watches whether the user writes, until `stop`. */
export interface WritingWatch {
  /** True if keys were pressed in a field, or one received the focus: another view would take away what is typed next. */
  isWriting(): boolean;
  stop(): void;
}

export function watchWriting(): WritingWatch {
  const focused = document.activeElement;
  let hasTyped = false;
  const onKey = ({ target }: KeyboardEvent) => {
    if (target instanceof Element && target.matches(FIELD)) hasTyped = true;
  };
  document.addEventListener('keydown', onKey, { capture: true });
  return {
    isWriting() {
      const now = document.activeElement;
      return hasTyped || (now !== focused && now !== null && now.matches(FIELD));
    },
    stop: () => document.removeEventListener('keydown', onKey, { capture: true }),
  };
}
