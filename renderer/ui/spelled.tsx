import { toSpelledParts } from '../../shared/model/spelled-text.ts';
import classes from './spelled.module.css';

interface SpelledProps {
  /** A text that `toSpelled` has gone over. */
  text: string;
}

/** A spelt text, with what stands for something else set off as a badge. */
export function Spelled({ text }: SpelledProps) {
  return toSpelledParts(text).map((part, index) =>
    part.isSpelled ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
      <span key={index} className={classes.badge}>
        {part.text}
      </span>
    ) : (
      part.text
    ),
  );
}
