import { VisuallyHidden } from '@mantine/core';
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

/** Marks of a scene: start, ending, dead end, unreachable, missing. `isShort`: as icons, whose words are shown at the pointer. */
export function StoryMarks({ marks, isShort = false }: Pick<MapNode, 'marks'> & { isShort?: boolean }) {
  return marks.map(({ mark, text }) => (
    <span key={mark} className={classes.mark} data-mark={mark} title={isShort ? text : undefined}>
      <MarkIcon mark={mark} />
      {isShort ? <VisuallyHidden>{text}</VisuallyHidden> : text}
    </span>
  ));
}
