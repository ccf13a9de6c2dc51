import { MARK_SHAPES } from '../layout/mark-shape.ts';
import type { MapNode, Mark } from '../layout/story-map.ts';
import classes from './story-marks.module.css';

/** Icon of a mark; decorative, because the word is shown next to it. */
export function MarkIcon({ mark }: { mark: Mark }) {
  return (
    <svg className={classes.icon} viewBox="0 0 12 12" aria-hidden>
      <path d={MARK_SHAPES[mark].icon} fillRule="evenodd" fill="currentColor" />
    </svg>
  );
}

/** Marks of a scene: start, ending, dead end, unreachable, missing. */
export function StoryMarks({ marks }: Pick<MapNode, 'marks'>) {
  return marks.map(({ mark, text }) => (
    <span key={mark} className={classes.mark} data-mark={mark}>
      <MarkIcon mark={mark} />
      {text}
    </span>
  ));
}
