import type { StageShown, StoryValue } from '../../../../shared/model/stage.ts';
import { SCENE_FOLDER } from '../../../../shared/script/project-index/project-facts.ts';
import type { ReportedJump } from '../../ports/stage-link.ts';
import { resolveScene } from '../scenes/scene-texts.ts';
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
  if (jumped) return run;
  return jump === undefined ? null : (jumps.get(jump) ?? null);
}

/** Returns the scene and line of a report. */
export function toPlace(
  stage: StageMemory,
  report: Omit<Report, 'stage' | 'globals'>,
): { scene: string; line: number } {
  const { scenes, suspects } = stage;
  const run = findRun(stage, report);
  if (run) return { scene: run.path, line: run.prepared.toLine(report.line) };
  const found = suspects.flatMap(({ statements }) => statements);
  const file = report.file && `${SCENE_FOLDER}${report.file.replace(/\?.*$/s, '')}`;
  const scene = file && scenes.includes(file) ? file : resolveScene(report.scene, scenes, found);
  return { scene: scene ?? report.scene.slice(0, 500), line: report.line };
}
