import { useEffect } from 'react';
import { flushSaves } from '../editor/editor-store.ts';
import { notifyError } from '../ui/notify.ts';
import { showView, VIEWS } from './shell-store.ts';

/** Moves the focus to the next region on the screen, or back; a region keeps the place where she was in it. */
function cycleRegions(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
    (region) => region.offsetWidth > 0 && region.offsetHeight > 0,
  );
  const at = regions.findIndex((region) => region.contains(document.activeElement));
  const next = at < 0 ? (step > 0 ? 0 : regions.length - 1) : (at + step + regions.length) % regions.length;
  regions[next]?.focus();
}

/** The window's keys: F6 round the regions, Ctrl+1 to 7 for the views, Ctrl+S. */
export function useKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
      const view = isCommand && !event.shiftKey ? VIEWS[Number(event.key) - 1] : undefined;
      if (event.key === 'F6') cycleRegions(event.shiftKey ? -1 : 1);
      else if (isCommand && event.key.toLowerCase() === 's' && !event.shiftKey) void flushSaves().catch(notifyError);
      else if (view) showView(view);
      else return;
      event.preventDefault();
    };
    // Capturing, for the editor would otherwise keep some of these keys to itself.
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, []);
}
