import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './pane-header.module.css';

interface PaneHeaderProps {
  title: string;
  /** Secondary text beside the title, for example the model or file. */
  note?: string | undefined;
  /** What a click on the note does, and its name; the note is plain text without it. */
  noteAction?: { label: string; onClick: () => void } | undefined;
  /** Action buttons at the end. */
  children?: ReactNode;
}

/** Header of a region. */
export function PaneHeader({ title, note, noteAction, children }: PaneHeaderProps) {
  return (
    <header className={classes.root}>
      <div className={classes.words}>
        <h2 className={classes.title}>{title}</h2>
        {note && noteAction && (
          <UnstyledButton
            className={`${classes.note} ${classes.action}`}
            title={noteAction.label}
            aria-label={`${note} – ${noteAction.label}`}
            onClick={noteAction.onClick}
          >
            {note}
          </UnstyledButton>
        )}
        {note && !noteAction && (
          <span className={classes.note} title={note}>
            {note}
          </span>
        )}
      </div>
      {children && <div className={classes.end}>{children}</div>}
    </header>
  );
}
