import { toVisible } from '../../shared/model/shown-text.ts';
import classes from './quoted.module.css';

interface QuotedProps {
  /** A name of a file or words that are not the app's own. */
  text: string;
}

/** Words from the game or the assistant inside a sentence of the app's: set apart, and seen as they are. */
export function Quoted({ text }: QuotedProps) {
  return <bdi className={classes.root}>{toVisible(text)}</bdi>;
}
