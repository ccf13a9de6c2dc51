import type { MapNode } from './story-map.ts';
import classes from './story-node.module.css';

/** What is special about a scene: the story begins or ends here, or does not come here. */
export function StoryMarks({ marks }: Pick<MapNode, 'marks'>) {
  return marks.map(({ mark, text }) => (
    <span key={mark} className={classes.mark} data-mark={mark}>
      {text}
    </span>
  ));
}
