import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** Lines of a file, counted from 1. */
interface MarkedLines {
  path: string;
  from: number;
  to: number;
}

/** How long lines stay marked. */
const MARK_TIME_MS = 8000;

const markedLinesStore = createStore<{ marked: MarkedLines | null }>(() => ({ marked: null }));
let timer: ReturnType<typeof setTimeout> | undefined;

/** Marks lines for the user, for some seconds; earlier marks end. */
export function markLines(marked: MarkedLines): void {
  clearTimeout(timer);
  markedLinesStore.setState({ marked });
  timer = setTimeout(() => markedLinesStore.setState({ marked: null }), MARK_TIME_MS);
}

export function useMarkedLines(): MarkedLines | null {
  return useStore(markedLinesStore, (state) => state.marked);
}
