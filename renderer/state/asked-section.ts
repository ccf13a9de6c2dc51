import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** Sections of the settings that are opened from elsewhere, by the id of their element. */
export type LinkedSection = 'settings-updates' | 'settings-terre' | 'services';

/** Set from the click on a link until the settings, which load later, have focused the section. */
const askedStore = createStore<{ id: LinkedSection | null }>(() => ({ id: null }));

export function askForSection(id: LinkedSection | null): void {
  askedStore.setState({ id });
}

export function useIsSectionAsked(id: LinkedSection | undefined): boolean {
  return useStore(askedStore, (state) => id !== undefined && state.id === id);
}
