import type { SceneCoverage } from '../../../shared/model/playtest/report.ts';

/** Returns whether a playtest played no line between two lines of a scene, not all of them, or all (null). */
export function toUnplayedPart(
  scene: SceneCoverage | undefined,
  { line, endLine }: { line: number; endLine: number },
): 'never' | 'partly' | null {
  if (scene === undefined || scene.never.length === 0) return null;
  if (scene.played === 0) return 'never';
  const here = scene.never.filter(({ first, last }) => first <= endLine && last >= line);
  if (here.length === 0) return null;
  // A label before the first line does not count.
  return here.some(({ first, last }) => first <= line + 1 && last >= endLine) ? 'never' : 'partly';
}
