import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { StageSource, StageState } from '../../../shared/model/stage.ts';
import classes from './stage-house.module.css';

interface StageHouseProps {
  /** The stage itself. */
  children: ReactNode;
  /** What the stage plays. */
  source: StageSource;
  /** What is compared with it; null for nothing. */
  beside: { stage: StageState; picture: ReactNode } | null;
}

/**
 * The room of the stage, and of what is compared with it: the saved text first. The stage keeps its place in the page, because a frame
 * that moves loads again.
 */
export function StageHouse({ children, source, beside }: StageHouseProps) {
  const { t } = useTranslation('stage');
  const replay = beside?.stage.replay;
  return (
    <div className={classes.house} data-compared={beside !== null || undefined}>
      <div className={classes.pane} data-second={source === 'proposal' || undefined}>
        <div className={classes.room}>{children}</div>
        {beside && <p className={classes.caption}>{t(`source.${source}`)}</p>}
      </div>
      {beside && (
        <section className={classes.pane} aria-label={t('beside.title')}>
          <div className={classes.room}>{beside.picture}</div>
          <p className={classes.caption} role="status">
            {t(source === 'proposal' ? 'source.saved' : 'source.proposal')}
            {replay && replay.state !== 'playing' && (
              <span className={classes.note}>{t(`beside.${replay.state}`, { choice: replay.choice })}</span>
            )}
          </p>
        </section>
      )}
    </div>
  );
}
