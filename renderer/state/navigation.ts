import type { Layout } from 'react-resizable-panels';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { VIEWS, type View } from '../../shared/model/command.ts';

export { VIEWS, type View };

export interface NavigationState {
  view: View;
  isAssistantOpen: boolean;
  isStageOpen: boolean;
  /** True while the list of keyboard shortcuts is shown. */
  isShowingShortcuts: boolean;
  /** True while the dialog that replaces words in all scenes is open. */
  isReplacing: boolean;
  /** Panel sizes in percent, by group. */
  layouts: Record<string, Layout>;
}

const KEY = 'webgal-agent.layout';

type Kept = Pick<NavigationState, 'layouts' | 'isAssistantOpen' | 'isStageOpen'>;

function readKept(): Partial<Kept> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    // Storage is damaged or blocked: use the default pane sizes.
    return {};
  }
}

export const navigationStore = createStore<NavigationState>(() => ({
  isAssistantOpen: true,
  isStageOpen: true,
  layouts: {},
  ...readKept(),
  isShowingShortcuts: false,
  isReplacing: false,
  view: 'write',
}));

navigationStore.subscribe(({ layouts, isAssistantOpen, isStageOpen }) => {
  try {
    localStorage.setItem(KEY, JSON.stringify({ layouts, isAssistantOpen, isStageOpen } satisfies Kept));
  } catch {
    // Storage is full or blocked: sizes are kept for this run only.
  }
});

export function useNavigation<T>(select: (state: NavigationState) => T): T {
  return useStore(navigationStore, select);
}

export function showView(view: View): void {
  navigationStore.setState({ view });
}

export function keepLayout(group: string, layout: Layout): void {
  navigationStore.setState(({ layouts }) => ({ layouts: { ...layouts, [group]: layout } }));
}

export function setAssistantOpen(isAssistantOpen: boolean): void {
  if (navigationStore.getState().isAssistantOpen !== isAssistantOpen) navigationStore.setState({ isAssistantOpen });
}

export function setStageOpen(isStageOpen: boolean): void {
  if (navigationStore.getState().isStageOpen !== isStageOpen) navigationStore.setState({ isStageOpen });
}

export function setShortcutsShown(isShowingShortcuts: boolean): void {
  navigationStore.setState({ isShowingShortcuts });
}

export function setReplacing(isReplacing: boolean): void {
  navigationStore.setState({ isReplacing });
}
