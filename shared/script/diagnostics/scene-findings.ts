import { toExactSize } from '../../exact-size.ts';
import { type DiagnosticCode, say } from '../../i18n/diagnostics.ts';
import { createMemo } from '../../memo.ts';
import { addOwnFlowFindings, storyFlowFindings } from '../flow/flow-findings.ts';
import { runsOut, unreachableRuns } from '../flow/flow-summary.ts';
import { leavesEitherWay } from '../flow/leaves-either-way.ts';
import { flowOfScene, type StoryFlow } from '../flow/story-flow.ts';
import { toFilePath } from '../project-index/file-names.ts';
import { type ProjectIndex, SCENE_FOLDER, START_PATH } from '../project-index/project-facts.ts';
import { LINE, type LineRecord } from '../syntax/analyze-line.ts';
import { ENGINE_COMMAND, FOREIGN_COMMANDS } from '../syntax/commands.ts';
import { type Finding, type PlacedFinding, replaceFix } from '../syntax/line-report.ts';
import { Statement } from '../syntax/scan.ts';
import type { SceneLines } from '../syntax/scene-lines.ts';
import { findRareSpeakers } from './rare-speakers.ts';
import { brokenJumpFindings, type SceneShape, shapeScene } from './scene-rules.ts';

/**
 * Findings about the lines of a scene together. `story` null: the known story flow is out of date, and the previous
 * findings based on it are returned at the current position of their lines.
 */
export function sceneFindings(
  index: ProjectIndex,
  scene: SceneLines,
  { story, isFragment }: { story: StoryFlow | null; isFragment: boolean },
): readonly PlacedFinding[] {
  const shape = shapeOf(scene);
  const found: PlacedFinding[] = [];
  for (const placed of shape.findings) {
    if (isFragment && LEFT_OUT_OF_FRAGMENTS.has(placed.finding.code)) continue;
    if (placed.finding.code === 'endless-loop' && isNeverReached(index, scene, placed.line)) continue;
    found.push(placed);
  }
  if (shape.brokenJumps.length > 0)
    for (const placed of brokenJumpFindings(shape, (name) => index.files.has(toFilePath('scene', name))))
      found.push(placed);
  addOwnFlowFindings(index, scene, found);
  if (isFragment) return found;
  for (const placed of story === null ? lastStoryFindings(scene) : storyFindings(index, scene, { shape, story })) {
    if (placed.finding.code !== 'endless-loop' || !isSpinning(shape, placed.line)) found.push(placed);
  }
  addOddSpeakers(index, scene, found);
  const first = scene.records[shape.firstDialogue];
  if (
    first !== undefined &&
    first.speaker === null &&
    (first.flags & LINE.concat) === 0 &&
    !namesSpeaker(first.text) &&
    scene.path.startsWith(SCENE_FOLDER)
  ) {
    found.push({ line: shape.firstDialogue, finding: { code: 'first-speaker', start: 0, end: first.text.length } });
  }
  return toExactSize(found);
}

/** True for a line that no way through its scene reaches. */
function isNeverReached(index: ProjectIndex, scene: SceneLines, line: number): boolean {
  return unreachableRuns(flowOfScene(index, scene)).some(({ first, last }) => line >= first && line <= last);
}

/** True for a line whose jump alone is an endless loop. */
function isSpinning({ findings }: SceneShape, line: number): boolean {
  return findings.some((placed) => placed.line === line && placed.finding.code === 'endless-loop');
}

/** True when an argument sets the speaker: `say:hi -speaker=Bob`, or `-clear` for none. */
function namesSpeaker(text: string): boolean {
  const statement = new Statement(text, 0, 0);
  return statement.argument('speaker') !== undefined || statement.argument('clear') !== undefined;
}

const LEFT_OUT_OF_FRAGMENTS = new Set<DiagnosticCode>(['unused-label', 'concat-first', 'notend-alone']);

/** The shape of a scene, cached until a line changes that matters to other lines. */
function shapeOf(scene: SceneLines): SceneShape {
  const known = SHAPES.get(scene);
  if (known !== undefined && known.shape === scene.shape) return known.value;
  const value = shapeScene(scene.records);
  SHAPES.set(scene, { shape: scene.shape, value });
  return value;
}

const SHAPES = createMemo<SceneLines, { shape: number; value: SceneShape }>();

/** Previous story findings of a scene, with the text of their lines. */
interface StoryFindings {
  count: number;
  placed: readonly { placed: PlacedFinding; text: string | undefined }[];
}

const STORY_FINDINGS = createMemo<SceneLines, StoryFindings>();

function storyFindings(
  index: ProjectIndex,
  scene: SceneLines,
  { shape, story }: { shape: SceneShape; story: StoryFlow },
): PlacedFinding[] {
  const { records, path } = scene;
  const found = storyFlowFindings(index, scene, story);
  const use = index.sceneUse(path);
  const last = records[shape.lastLine];
  const isRoot = (path === START_PATH || use.entered > 0) && use.called === 0;
  // Whether a caller returns from the scene is known only where the story reaches it; elsewhere the scenes that name
  // this one decide.
  // A command of the game's own engine may lead anywhere.
  const isKnown = last !== undefined && last.command !== ENGINE_COMMAND;
  const isOpen = shape.hangs && isKnown && runsOut(flowOfScene(index, scene));
  if (isOpen && (story.stopsIn(path) ?? isRoot) && !wasMeantAsEnd(last) && !leavesEitherWay(records, shape.labels)) {
    found.push({ line: shape.lastLine, finding: toNoEnding(last) });
  }
  if (last === undefined && (story.stopsIn(path) ?? isRoot)) {
    found.push({
      line: 0,
      finding: { code: 'no-ending', start: 0, end: 0, values: { where: say('notes.breaksOffEmpty') } },
    });
  }
  const placed = found.map((one) => ({ placed: one, text: records[one.line]?.text }));
  STORY_FINDINGS.set(scene, { count: records.length, placed });
  return found;
}

/** After an exit with a condition the story breaks off only where that is false, and the story may make sure that it never is. */
function toNoEnding({ text, flags, command }: LineRecord): Finding {
  const condition = flags & LINE.conditional ? new Statement(text, 0, 0).argument('when')?.raw : null;
  const isConditional = typeof condition === 'string';
  return {
    ...{ code: 'no-ending', start: 0, end: text.length },
    ...(isConditional && { severity: 'info' }),
    values: { where: isConditional ? say('notes.breaksOffUnless', { condition }) : say(whereItBreaksOff(command)) },
  };
}

const whereItBreaksOff = (command: LineRecord['command']) =>
  command?.name === 'callScene' ? 'notes.breaksOffAfterCall' : 'notes.breaksOff';

/** True for a line such as `title:;`, which has a finding that suggests `end`. */
function wasMeantAsEnd({ speaker, findings }: LineRecord): boolean {
  return (
    typeof speaker === 'string' &&
    FOREIGN_COMMANDS.get(speaker) === 'end' &&
    findings?.some(({ code }) => code === 'unknown-command') === true
  );
}

/**
 * The previous findings whose line still exists, at its current position: the search distance is at most the change in
 * the number of lines.
 */
function* lastStoryFindings(scene: SceneLines): Generator<PlacedFinding> {
  const known = STORY_FINDINGS.get(scene);
  if (known === undefined) return;
  const shift = scene.records.length - known.count;
  const most = Math.min(Math.abs(shift), MAX_STEPS);
  for (const { placed, text } of known.placed) {
    for (let step = 0; step <= most; step += 1) {
      // Search from both ends: nearly always all lines were inserted or removed in one place.
      const off = step % 2 === 0 ? step / 2 : Math.abs(shift) - (step - 1) / 2;
      const line = placed.line + Math.sign(shift) * off;
      if (text === undefined || scene.records[line]?.text !== text) continue;
      yield { ...placed, line };
      break;
    }
  }
}

const MAX_STEPS = 50;

function addOddSpeakers(index: ProjectIndex, { records }: SceneLines, found: PlacedFinding[]): void {
  const rare = findRareSpeakers(index.speakers);
  if (rare.size === 0) return;
  for (let line = 0; line < records.length; line += 1) {
    const { speaker, text } = records[line] as LineRecord;
    const near = typeof speaker === 'string' ? rare.get(speaker) : undefined;
    if (typeof speaker !== 'string' || near === undefined) continue;
    const end = text.indexOf(':');
    const values = { name: speaker, near };
    found.push({ line, finding: { code: 'rare-speaker', start: 0, end, values, fixes: [replaceFix(0, end, near)] } });
  }
}
