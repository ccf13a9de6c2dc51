import { useEffect } from 'react';
import { flushSaves } from '../state/documents/editor-store.ts';
import { setReplacing, showView, VIEWS } from '../state/navigation.ts';
import { notifyError } from '../state/notify.ts';
import { isPageCovered } from '../ui/focus/page-covered.ts';
import { showSearch } from '../workflows/show-file.ts';

/** Moves the focus to the next or previous visible region; a region restores its last focused element. */
function cycleRegions(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
    (region) => region.offsetWidth > 0 && region.offsetHeight > 0,
  );
  const at = regions.findIndex((region) => region.contains(document.activeElement));
  const next = at < 0 ? (step > 0 ? 0 : regions.length - 1) : (at + step + regions.length) % regions.length;
  const region = regions[next];
  // A region that has no name is entered at its first control.
  const control = region?.dataset.region === 'controls' ? region.querySelector('button') : null;
  (control ?? region)?.focus();
}

/** Binds the window's keys: F6 cycles the regions, Ctrl+1 to 9 select the views, Ctrl+S saves, Ctrl+Shift+F searches the game, Ctrl+Shift+H replaces in it. */
export function useKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
      const view = isCommand && !event.shiftKey ? VIEWS[Number(event.key) - 1] : undefined;
      const isSearch = isCommand && event.shiftKey && event.code === 'KeyF';
      if ((event.key === 'F6' || view || isSearch) && isPageCovered()) event.preventDefault();
      else if (event.key === 'F6') cycleRegions(event.shiftKey ? -1 : 1);
      else if (isCommand && event.key.toLowerCase() === 's' && !event.shiftKey) void flushSaves().catch(notifyError);
      else if (isSearch) showSearch();
      else if (isCommand && event.shiftKey && event.code === 'KeyH') setReplacing(true);
      else if (view) showView(view);
      else return;
      event.preventDefault();
    };
    // Capture phase: the editor would otherwise handle some of these keys.
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, []);
}
