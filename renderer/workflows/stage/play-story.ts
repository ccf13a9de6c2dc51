import type { StageSource } from '../../../shared/model/stage.ts';
import { scanScene } from '../../../shared/script/syntax/scan.ts';
import { api } from '../../api.ts';
import { editorStore, openText } from '../../state/documents/editor-store.ts';
import { setStageOpen } from '../../state/navigation.ts';
import { isScene } from '../../state/project/file-kinds.ts';
import { showOnStage, stageStore } from '../../state/stage/stage-store.ts';

const ENTRY_SCENE = 'game/scene/start.txt';

const toSource = (): StageSource => stageStore.getState().stage.place?.source ?? 'saved';

function play(path: string, line: number): void {
  setStageOpen(true);
  showOnStage({ path, line, source: toSource() });
}

/** Plays the game from its first line. */
export function playFromStart(): void {
  play(ENTRY_SCENE, 1);
}

/** Plays the scene in the editor from its first line; the one on the stage if the editor shows none. */
export function playScene(): void {
  const { active } = editorStore.getState();
  const path = active !== null && isScene(active) ? active : stageStore.getState().stage.place?.path;
  if (path !== undefined) play(path, 1);
}

/** Plays from the line of the cursor. */
export function playFromCursor(): void {
  const { active, cursor } = editorStore.getState();
  if (active !== null && isScene(active) && cursor) play(active, cursor.line);
}

/** Returns to the line from which the stage played last. */
export function playAgain(): void {
  const { place } = stageStore.getState().stage;
  if (place) play(place.path, place.line);
}

/** More scenes in a row than a story has without a choice; also ends a circle of scenes. */
const MAX_SCENES = 50;

/**
 * Plays to the next choice after the line on the stage, also of a scene that the story goes on to in any case. Resolves to
 * false if there is none.
 */
export async function skipToChoice(): Promise<boolean> {
  const { place, shown } = stageStore.getState().stage;
  if (!place) return false;
  const isThere = shown !== null && isScene(shown.scene);
  let next: Passage = isThere ? { path: shown.scene, from: shown.line } : { path: place.path, from: place.line };
  for (let count = 0; count < MAX_SCENES; count += 1) {
    const found = await findChoice(next);
    if (found === null) return false;
    if ('from' in found) next = found;
    else {
      play(found.path, found.line);
      return true;
    }
  }
  return false;
}

/** A scene from the line after `from`. */
interface Passage {
  path: string;
  from: number;
}

async function findChoice({ path, from }: Passage): Promise<{ path: string; line: number } | Passage | null> {
  const text = openText(path) ?? (await api.call('script.read', { path })).text;
  const lines = scanScene(text);
  for (const [index, statement] of lines.entries()) {
    const { command, content } = statement;
    if (index < from) continue;
    if (command?.name === 'choose') return { path, line: index + 1 };
    if (statement.argument('when')) continue;
    if (command?.name === 'end') return null;
    if (command?.name === 'changeScene') return { path: `game/scene/${content.trim()}`, from: 0 };
  }
  return null;
}
