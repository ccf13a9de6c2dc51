import type { ReactNode } from 'react';
import classes from './region.module.css';
import { RegionBoundary } from './region-boundary.tsx';

interface RegionProps {
  /** Identifies the region for F6 navigation and tests. */
  id: string;
  label: string;
  children: ReactNode;
}

/** A region of the window: a stop of F6 navigation, and an error boundary. */
export function Region({ id, label, children }: RegionProps) {
  return (
    <section className={classes.root} id={id} data-region tabIndex={-1} aria-label={label}>
      <RegionBoundary>{children}</RegionBoundary>
    </section>
  );
}
