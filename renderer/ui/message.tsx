import type { ReactNode } from 'react';
import classes from './message.module.css';

interface MessageProps {
  text: string;
  /** Secondary text: what to do, or what this region will show. */
  hint?: string;
  tone?: 'quiet' | 'error';
  icon?: ReactNode;
  /** Action buttons. */
  children?: ReactNode;
}

/** Placeholder of a region that is empty, loading, or failed. */
export function Message({ text, hint, tone = 'quiet', icon, children }: MessageProps) {
  return (
    <div className={classes.root} data-tone={tone} role={tone === 'error' ? 'alert' : undefined}>
      {icon && (
        <span className={classes.icon} aria-hidden>
          {icon}
        </span>
      )}
      <p className={classes.text}>{text}</p>
      {hint && <p className={classes.hint}>{hint}</p>}
      {children && <div className={classes.actions}>{children}</div>}
    </div>
  );
}
