import type { StageState, StageWay } from '../../../shared/model/stage.ts';
import { scanScene } from '../../../shared/script/syntax/scan.ts';

/** Both of what is said of a way fit into one message of a viewer. */
const MAX_TEXT = 800;
const MAX_LABELS = 20;
const MAX_LABEL = 100;

/** Returns the 1-based line that the assistant wants to see, or why the scene has none, for the model. */
export function findTarget(
  text: string,
  { scene, line = 1, label }: { scene: string; line?: number | undefined; label?: string | undefined },
): { line: number } | { problem: string } {
  const statements = scanScene(text);
  if (label === undefined) {
    if (line >= 1 && line <= statements.length) return { line };
    return { problem: `${scene} has ${statements.length} lines, so there is no line ${line}.` };
  }
  const labels = statements.map(({ command, content }) => (command?.name === 'label' ? content.trim() : null));
  // The engine takes the last of several labels with one name.
  const at = labels.lastIndexOf(label);
  if (at >= 0) return { line: at + 1 };
  const known = labels.filter((one) => one !== null).map((one) => JSON.stringify(one.slice(0, MAX_LABEL)));
  const has =
    known.length === 0
      ? 'It has no labels.'
      : `It has ${known.slice(0, MAX_LABELS).join(', ')}${known.length > MAX_LABELS ? ' …' : ''}.`;
  return { problem: `There is no label ${JSON.stringify(label.slice(0, MAX_LABEL))} in ${scene}. ${has}` };
}

/** Returns why the stage does not show a line that it was asked for, for the model. */
export function whyNotShown(stage: StageState, wanted: { path: string; line: number }): string {
  const { status, place, shown, way, replay } = stage;
  if (status === 'off') return 'The stage is closed.';
  if (status === 'lost') return 'The engine has stopped responding. Use reload-stage, then try again.';
  if (status === 'starting') return 'The engine is still starting. Look again in a moment.';
  if (place !== null && (place.path !== wanted.path || place.line !== wanted.line)) {
    return `The stage was sent to ${place.path} line ${place.line} meanwhile.`;
  }
  if (replay?.state === 'playing') return 'The choices that were made before are still played back. Look again.';
  const why = shown === null ? 'The engine says nothing of what it shows. Look again.' : whyElsewhere(shown, wanted);
  // What was assumed of the way is no reason, but it may explain where the story is.
  return [why, way ? describeWay(way) : ''].filter(Boolean).join(' ');
}

function whyElsewhere(
  { scene, line }: { scene: string; line: number },
  wanted: { path: string; line: number },
): string {
  // The line of the text before: the engine is still loading the changed one.
  if (scene === wanted.path && line === wanted.line)
    return 'It is there, and still loads the changed text. Look again.';
  return `It has not come there within two seconds and is at ${scene} line ${line}. Look again, and at its problems.`;
}

/** Says where the stage is after it was sent to a line: the engine goes on from a line at which the player does not stop. */
export function describeArrival({ shown }: Pick<StageState, 'shown'>, wanted: { path: string; line: number }): string {
  const where = `${wanted.path} line ${wanted.line}`;
  if (shown === null || (shown.scene === wanted.path && shown.line === wanted.line)) return `The stage shows ${where}.`;
  return `The stage was sent to ${where}, where the player does not stop, and is at ${shown.scene} line ${shown.line}.`;
}

const FAILURES: Readonly<Record<NonNullable<StageWay['failure']>['reason'], string>> = {
  line: 'Nothing in the scene leads to this line, so it is shown after everything above it.',
  condition: 'No values were found that this condition needs, so it was passed by.',
  'too-long': 'The scene has too many branches to find the way to this line, so it is shown after everything above it.',
  scene: 'Nothing leads to this scene from the start of the game, so it is shown without what comes before.',
  far: 'Too many scenes lie before this one, so it is shown without what comes before.',
};

/** Says what the stage assumed to come to its line, and why no way leads there. */
export function describeWay({ values, failure }: StageWay): string {
  const set = values.map(
    ({ name, value, path, line }) => `${name} = ${String(value)} (condition in ${path} line ${line})`,
  );
  const why =
    failure &&
    `${failure.path} line ${failure.line}${failure.condition && ` (${failure.condition})`}: ${FAILURES[failure.reason]}`;
  return [set.length > 0 ? `To come to this line, the stage set ${set.join(', ')}.` : '', why ?? '']
    .filter(Boolean)
    .join(' ')
    .slice(0, MAX_TEXT);
}

/** Says which options the stage takes on the way to its line, by their places: the rules of the game may close the scenes of their texts. */
export function describeForks({ forks = [] }: Pick<StageState, 'forks'>): string {
  const taken = forks.filter(({ line }) => line > 0);
  if (taken.length === 0) return '';
  const words = taken.map(({ path, line, taken: at }) => `option ${at + 1} of ${path} line ${line}`);
  return `Several choices lead there; the stage took ${words.join(', ')}.`.slice(0, MAX_TEXT);
}
