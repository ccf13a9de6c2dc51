import type { Layout } from 'react-resizable-panels';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { VIEWS, type View } from '../../shared/model/command.ts';

export { VIEWS, type View };

export interface ShellState {
  view: View;
  isAssistantOpen: boolean;
  isStageOpen: boolean;
  /** True while the list of keyboard shortcuts is shown. */
  isShowingShortcuts: boolean;
  /** Panel sizes in percent, by group. */
  layouts: Record<string, Layout>;
}

const KEY = 'webgal-agent.layout';

type Kept = Pick<ShellState, 'layouts' | 'isAssistantOpen' | 'isStageOpen'>;

function readKept(): Partial<Kept> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    // Storage is damaged or blocked: use the default pane sizes.
    return {};
  }
}

export const shellStore = createStore<ShellState>(() => ({
  isAssistantOpen: true,
  isStageOpen: true,
  layouts: {},
  ...readKept(),
  isShowingShortcuts: false,
  view: 'write',
}));

shellStore.subscribe(({ layouts, isAssistantOpen, isStageOpen }) => {
  try {
    localStorage.setItem(KEY, JSON.stringify({ layouts, isAssistantOpen, isStageOpen } satisfies Kept));
  } catch {
    // Storage is full or blocked: sizes are kept for this run only.
  }
});

export function useShell<T>(select: (state: ShellState) => T): T {
  return useStore(shellStore, select);
}

export function showView(view: View): void {
  shellStore.setState({ view });
}

export function keepLayout(group: string, layout: Layout): void {
  shellStore.setState(({ layouts }) => ({ layouts: { ...layouts, [group]: layout } }));
}

export function setAssistantOpen(isAssistantOpen: boolean): void {
  if (shellStore.getState().isAssistantOpen !== isAssistantOpen) shellStore.setState({ isAssistantOpen });
}

export function setStageOpen(isStageOpen: boolean): void {
  if (shellStore.getState().isStageOpen !== isStageOpen) shellStore.setState({ isStageOpen });
}

export function setShortcutsShown(isShowingShortcuts: boolean): void {
  shellStore.setState({ isShowingShortcuts });
}
