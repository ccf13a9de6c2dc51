import { toSpelledParts } from '../../../shared/text/spelled-text.ts';
import classes from './spelled.module.css';

interface SpelledProps {
  /** Output of `toSpelled`. */
  text: string;
}

/** Renders replaced characters of a spelled text as badges. */
export function Spelled({ text }: SpelledProps) {
  return toSpelledParts(text).map((part, index) =>
    part.isSpelled ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified by its position
      <span key={index} className={classes.badge}>
        {part.text}
      </span>
    ) : (
      part.text
    ),
  );
}
