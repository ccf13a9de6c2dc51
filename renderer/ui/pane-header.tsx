import type { ReactNode } from 'react';
import classes from './pane-header.module.css';

interface PaneHeaderProps {
  title: string;
  /** A word beside the title: which model, which file. */
  note?: string | undefined;
  /** Buttons at the end. */
  children?: ReactNode;
}

/** The line at the head of a region. */
export function PaneHeader({ title, note, children }: PaneHeaderProps) {
  return (
    <header className={classes.root}>
      <h2 className={classes.title}>{title}</h2>
      {note && <span className={classes.note}>{note}</span>}
      {children && <div className={classes.end}>{children}</div>}
    </header>
  );
}
