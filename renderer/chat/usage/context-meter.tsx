import { Button, Popover, Progress, RingProgress, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChat } from '../../state/chat/chat-store.ts';
import { compactChat } from '../chat-actions.ts';
import classes from './context-meter.module.css';
import { SpendingTable } from './spending-table.tsx';
import { toTokensText } from './spent-text.ts';
import { formatTokens } from './token-count.ts';

interface ContextMeterProps {
  /** True when a summary can be started. */
  isIdle: boolean;
}

/** Part of the window from which the meter warns: the next request will be preceded by a summary. */
const NEARLY_FULL = 0.7;

/** How full the model's window is; on click the figures and *Summarise now*. */
export function ContextMeter({ isIdle }: ContextMeterProps) {
  const { t, i18n } = useTranslation('chat');
  const context = useChat((state) => state.chat?.context ?? null);
  const turn = useChat((state) => state.chat?.turnUsage);
  const session = useChat((state) => state.chat?.sessionUsage);
  const [isOpen, setOpen] = useState(false);
  if (!context || !turn || !session) return null;
  const part = Math.min(1, context.used / context.window);
  const percent = Math.round(part * 100);
  const color = part >= NEARLY_FULL ? 'orange' : 'iris';
  const show = (count: number) => formatTokens(count, i18n.language);
  const showUsed = (count: number, total: typeof turn) => toTokensText(count, total, { t, locale: i18n.language });
  const used = showUsed(session.input + session.output, session);
  const isCounted = !turn.isPartial || turn.input + turn.output > 0;
  return (
    <Popover opened={isOpen} onChange={setOpen} position="top" width={280} withinPortal trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton
          className={classes.root}
          aria-label={t('context.label', { percent })}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <RingProgress size={18} thickness={3} sections={[{ value: percent, color }]} aria-hidden />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel} aria-label={t('context.label', { percent })}>
        <p className={classes.percent}>{t('context.meter', { percent })}</p>
        <Progress value={percent} color={color} size="sm" aria-hidden />
        <p className={classes.text}>
          {t('context.detail', { window: show(context.window), used: show(context.used) })}
        </p>
        <p className={classes.text}>
          {isCounted
            ? t('composer.usageDetail', {
                input: showUsed(turn.input, turn),
                cached: show(turn.cached),
                output: showUsed(turn.output, turn),
                session: used,
              })
            : t('composer.usageUncounted', { session: used })}
        </p>
        <SpendingTable turn={turn} session={session} />
        <Button
          variant="default"
          size="compact-sm"
          disabled={!isIdle}
          onClick={() => {
            setOpen(false);
            void compactChat();
          }}
        >
          {t('context.compact')}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
