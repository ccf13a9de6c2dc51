import { Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangleFilled, IconCircleCheckFilled, IconCircleXFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { toReadingTime } from '../../../shared/script/story/outline.ts';
import { toSpentText, toTokensText } from '../../chat/usage/spent-text.ts';
import { useChat } from '../../state/chat/chat-store.ts';
import { useConnection } from '../../state/connection-store.ts';
import { useEditor } from '../../state/documents/editor-store.ts';
import { selectSnapshot, useHistory } from '../../state/history/history-store.ts';
import { showView } from '../../state/navigation.ts';
import { useProblems } from '../../state/problems/problems-store.ts';
import { useStoryLength } from '../../state/project/story-length-store.ts';
import { useStageStatus } from '../../state/stage/stage-store.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { timeAgo } from '../../ui/text/time-ago.ts';
import { GitEntry } from './git-entry.tsx';
import classes from './status-bar.module.css';
import { UpdateNotice } from './update-notice.tsx';

/** The status bar: problems, cursor position, length, repository, cost, stage, history. */
export function StatusBar() {
  const { t } = useTranslation('shell');
  return (
    <section className={classes.root} id="region-status" data-region tabIndex={-1} aria-label={t('regions.status')}>
      <Problems />
      <Place />
      <Length />
      <GitEntry />
      <div className={classes.end}>
        <UpdateNotice className={classes.button ?? ''} onOpen={() => showView('settings')} />
        <Tokens />
        <StageLamp />
        <LastSnapshot />
      </div>
    </section>
  );
}

function Problems() {
  const { t } = useTranslation('shell');
  const isChecked = useProblems((state) => state.isChecked);
  const error = useProblems(({ book }) => book.counts.error);
  const warning = useProblems(({ book }) => book.counts.warning);
  const counts = { error, warning };
  if (!isChecked) return null;
  const isClean = counts.error + counts.warning === 0;
  return (
    <UnstyledButton className={classes.button} onClick={() => showView('write')}>
      {isClean && (
        <span className={classes.count}>
          <IconCircleCheckFilled size={13} className={classes.good} aria-hidden />
          {t('status.clean')}
        </span>
      )}
      {counts.error > 0 && (
        <span className={classes.count}>
          <IconCircleXFilled size={13} className={classes.error} aria-hidden />
          <span aria-hidden>{counts.error}</span>
          <VisuallyHidden>{t('status.errors', { count: counts.error })}</VisuallyHidden>
        </span>
      )}
      {counts.warning > 0 && (
        <span className={classes.count}>
          <IconAlertTriangleFilled size={13} className={classes.warn} aria-hidden />
          <span aria-hidden>{counts.warning}</span>
          <VisuallyHidden>{t('status.warnings', { count: counts.warning })}</VisuallyHidden>
        </span>
      )}
    </UnstyledButton>
  );
}

function Place() {
  const { t } = useTranslation('shell');
  const active = useEditor((state) => state.active);
  const line = useEditor((state) => state.cursor?.line);
  if (!active || !line) return null;
  return (
    <span className={classes.place} title={active}>
      <span className={classes.file}>{active.replace(/^game\/(scene\/)?/, '')}</span>
      {t('status.line', { line })}
    </span>
  );
}

function Length() {
  const { t, i18n } = useTranslation('shell');
  const length = useStoryLength();
  if (!length) return null;
  const { scenes, words } = length;
  const time = toReadingTime(words);
  const parts = [
    t('status.scenes', { count: scenes, formatted: scenes.toLocaleString(i18n.language) }),
    t('status.words', { count: words, formatted: words.toLocaleString(i18n.language) }),
    t(`status.${time.unit}`, { count: time.count }),
  ];
  return <span className={classes.wide}>{parts.join(' · ')}</span>;
}

function Tokens() {
  const { t, i18n } = useTranslation('shell');
  const turn = useChat((state) => state.chat?.turnUsage);
  const session = useChat((state) => state.chat?.sessionUsage);
  if (!turn || !session || session.input + session.output === 0) return null;
  const text = { t, locale: i18n.language };
  const short = (count: number, total = session) => toTokensText(count, total, text);
  const hint = t('status.tokensHint', {
    input: short(session.input),
    cached: short(session.cached, { ...session, isPartial: false }),
    output: short(session.output),
  });
  const hasCost = session.money.length > 0;
  const turnTokens = short(turn.input + turn.output, turn);
  return (
    <Tooltip label={hint} multiline maw={320}>
      <span className={classes.wide}>
        {t('status.turn', { tokens: hasCost ? toSpentText(turn, text) : turnTokens })} ·{' '}
        {hasCost
          ? t('status.sessionCost', { cost: toSpentText(session, text) })
          : t('status.session', { tokens: short(session.input + session.output) })}
      </span>
    </Tooltip>
  );
}

function StageLamp() {
  const { t } = useTranslation('shell');
  const shown = useStageStatus();
  const status = useConnection() ? shown : 'lost';
  return (
    <span className={classes.count}>
      <span className={classes.lamp} data-status={status} aria-hidden />
      {t(`status.stage.${status}`)}
    </span>
  );
}

function LastSnapshot() {
  const { t, i18n } = useTranslation('shell');
  const now = useNow();
  const latest = useHistory((state) => state.groups?.[0]);
  const file = latest?.files[0];
  if (!latest || !file) return null;
  const show = () => {
    void selectSnapshot(file.snapshotId);
    showView('history');
  };
  return (
    <span className={classes.count}>
      {t('status.snapshot', { ago: timeAgo(latest.at, i18n.language, now) })}
      {' · '}
      <UnstyledButton className={`${classes.button} ${classes.link}`} onClick={show}>
        {t('status.restore')}
      </UnstyledButton>
    </span>
  );
}
