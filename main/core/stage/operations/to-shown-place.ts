import type { StageShown, StoryValue } from '../../../../shared/model/stage.ts';
import { SCENE_FOLDER } from '../../../../shared/script/project-index/project-facts.ts';
import type { ReportedJump } from '../../ports/stage-driver.ts';
import { findChosenScene, resolveScene } from '../scenes/scene-texts.ts';
import type { StageRun } from '../stage-run.ts';
import { toShownStage, toVariables } from '../to-shown.ts';
import type { StageMemory } from './stage-memory.ts';

/** What an engine reports, by push or as the answer to an order. */
interface Report extends ReportedJump {
  scene: string;
  line: number;
  /** The scene's file relative to the scene folder, where the page knows it. */
  file?: string | null;
  stage: Record<string, unknown>;
  /** As the answer to an order has them. */
  globals?: Record<string, StoryValue> | undefined;
}

/** Returns what is on the stage, with the place in the project's scenes. */
export function toShown(stage: StageMemory, report: Report): StageShown {
  const globals = report.globals ? toVariables(report.globals) : stage.globals;
  const isSome = Object.keys(globals).length > 0;
  return { ...toShownStage(report.stage), ...(isSome && { globals }), ...toPlace(stage, report) };
}

/** Returns the request whose text a report is about, which need not be the last; null for a scene of the game. */
export function findRun({ run, jumps }: StageMemory, { jumped, jump }: ReportedJump): StageRun | null {
  if (jumped && run) return run;
  return jump === undefined ? null : (jumps.get(jump) ?? null);
}

/** Returns the scene and line of a report. */
export function toPlace(
  stage: StageMemory,
  report: Omit<Report, 'stage' | 'globals'>,
): { scene: string; line: number } {
  const run = findRun(stage, report);
  if (run) return { scene: run.path, line: run.prepared.toLine(report.line) };
  return { scene: findScene(stage, report) ?? report.scene.slice(0, 500), line: report.line };
}

function findScene(stage: StageMemory, { scene: name, file = null }: Pick<Report, 'scene' | 'file'>): string | null {
  const { scenes, suspects, chosenScenes } = stage;
  const path = file && `${SCENE_FOLDER}${file.replace(/\?.*$/s, '')}`;
  if (path && scenes.includes(path)) return path;
  const known = resolveScene(name, scenes) ?? chosenScenes.get(name);
  if (known !== undefined) return known;
  // Kept, because the menu is not among the suspects any more once the story has gone on.
  const found = findChosenScene(
    name,
    suspects.flatMap(({ statements }) => statements),
  );
  if (found !== null) chosenScenes.set(name, found);
  return found;
}

/** Notes where an option led that was chosen in the shown menu: the engine names the next scene by its label. */
export function noteChosenScene(stage: StageMemory, { text: label, nth }: { text: string; nth: number }): void {
  const { suspects, chosenScenes } = stage;
  const { shown } = stage.state;
  const statements = suspects.find(({ path }) => path === shown?.scene)?.statements ?? [];
  const menu = shown && statements[shown.line - 1];
  const scene = findChosenScene(label, menu?.command?.content.kind === 'choices' ? [menu] : statements, nth);
  if (scene !== null) chosenScenes.set(label, scene);
}
