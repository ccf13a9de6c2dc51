import { type ProjectIndex, START_PATH } from '../project-index/project-facts.ts';
import { flowOfScene } from './story-flow.ts';

/** The scenes in breadth-first order from start.txt; unreachable ones are left out. */
export function storyOrder(index: ProjectIndex): string[] {
  const found = new Set<string>();
  if (index.scene(START_PATH) !== undefined) found.add(START_PATH);
  // Iteration over a set includes elements added during it.
  for (const path of found) {
    const scene = index.scene(path);
    if (scene === undefined) continue;
    for (const { scene: next } of flowOfScene(index, scene).structure.links) {
      if (next !== null && index.scene(next) !== undefined) found.add(next);
    }
  }
  return [...found];
}
