import type { ReactNode } from 'react';
import classes from './pane-header.module.css';

interface PaneHeaderProps {
  title: string;
  /** Secondary text beside the title, for example the model or file. */
  note?: string | undefined;
  /** Action buttons at the end. */
  children?: ReactNode;
}

/** Header of a region. */
export function PaneHeader({ title, note, children }: PaneHeaderProps) {
  return (
    <header className={classes.root}>
      <div className={classes.words}>
        <h2 className={classes.title}>{title}</h2>
        {note && (
          <span className={classes.note} title={note}>
            {note}
          </span>
        )}
      </div>
      {children && <div className={classes.end}>{children}</div>}
    </header>
  );
}
