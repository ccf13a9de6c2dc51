import type { ReactNode } from 'react';
import classes from './region.module.css';
import { RegionBoundary } from './region-boundary.tsx';

interface RegionProps {
  /** Names the region for F6 and for tests. */
  id: string;
  label: string;
  children: ReactNode;
}

/** A sheet of the window: what F6 goes round, and as far as a failure spreads. */
export function Region({ id, label, children }: RegionProps) {
  return (
    <section className={classes.root} id={id} data-region tabIndex={-1} aria-label={label}>
      <RegionBoundary>{children}</RegionBoundary>
    </section>
  );
}
