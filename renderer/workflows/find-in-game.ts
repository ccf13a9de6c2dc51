import { showView } from '../state/navigation.ts';
import { wantedSearchStore } from '../state/wanted-search.ts';

/** Shows the field that finds lines, speakers and scenes of the whole game. */
export function findInGame(): void {
  wantedSearchStore.setState({ isWanted: true });
  showView('story');
}
