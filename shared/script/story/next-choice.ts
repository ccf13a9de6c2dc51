import { SCENE_FOLDER } from '../project-index/project-facts.ts';
import { type Statement, scanScene } from '../syntax/scan.ts';

/** More turns in a row than a story has without a choice; also ends a circle. */
const MAX_TURNS = 200;

/** A line of a scene, counted from 1; 0 is before the first. */
export interface ScenePlace {
  path: string;
  line: number;
}

/**
 * Finds the next menu after a line on the way that the story takes in any case: turns with a condition are passed by. `read` returns the
 * text of a scene. Returns null if there is none.
 */
export async function findNextChoice(
  from: ScenePlace,
  read: (path: string) => Promise<string>,
): Promise<ScenePlace | null> {
  /** Where called scenes go back to. */
  const callers: ScenePlace[] = [];
  let at = from;
  for (let turns = 0; turns < MAX_TURNS; turns += 1) {
    const { path } = at;
    const statements = scanScene(await read(path));
    const turn = statements.findIndex((each, index) => index >= at.line && isTurn(each));
    const statement = statements[turn];
    const name = statement?.command?.name;
    if (name === 'choose') return { path, line: turn + 1 };
    const target = statement?.content.trim() ?? '';
    let next: ScenePlace | undefined;
    // Without the label, the engine skips the jump.
    if (name === 'jumpLabel') next = findLabel(statements, path, target) ?? { path, line: turn + 1 };
    else if (name === 'changeScene' || name === 'callScene') next = { path: `${SCENE_FOLDER}${target}`, line: 0 };
    // The end of a called scene.
    else if (name === undefined) next = callers.pop();
    if (!next) return null;
    if (name === 'callScene') callers.push({ path, line: turn + 1 });
    at = next;
  }
  return null;
}

const TURNS = new Set(['choose', 'jumpLabel', 'changeScene', 'callScene', 'end']);

function isTurn(statement: Statement): boolean {
  const name = statement.command?.name ?? '';
  return TURNS.has(name) && (name === 'choose' || !statement.argument('when'));
}

/** The engine uses the last of several labels of one name. */
function findLabel(statements: readonly Statement[], path: string, name: string): ScenePlace | undefined {
  const at = statements.findLastIndex(({ command, content }) => command?.name === 'label' && content.trim() === name);
  return at < 0 ? undefined : { path, line: at + 1 };
}
