import { type ProjectIndex, START_PATH } from '../project-facts.ts';
import { flowOfScene } from './story-flow.ts';

/** The scenes by how soon the story can come to them, from start.txt on; those it never comes to are left out. */
export function storyOrder(index: ProjectIndex): string[] {
  const found = new Set<string>();
  if (index.scene(START_PATH) !== undefined) found.add(START_PATH);
  // A set goes on over what is added meanwhile.
  for (const path of found) {
    const scene = index.scene(path);
    if (scene === undefined) continue;
    for (const { scene: next } of flowOfScene(index, scene).structure.links) {
      if (next !== null && index.scene(next) !== undefined) found.add(next);
    }
  }
  return [...found];
}
