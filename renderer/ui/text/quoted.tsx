import { toVisible } from '../../../shared/text/shown-text.ts';
import classes from './quoted.module.css';

interface QuotedProps {
  /** A file name or text that does not come from the app. */
  text: string;
}

/** Text of the game or the assistant inside a message of the app: isolated and with invisible characters shown. */
export function Quoted({ text }: QuotedProps) {
  return <bdi className={classes.root}>{toVisible(text)}</bdi>;
}
