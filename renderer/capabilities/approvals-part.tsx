import { Button } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PendingApproval } from '../../shared/model/capability/approval.ts';
import { toLocalText } from '../../shared/model/local-text.ts';
import { toVisible } from '../../shared/text/shown-text.ts';
import { toSpelled } from '../../shared/text/spelled-text.ts';
import { api } from '../api.ts';
import { useApprovals } from '../state/approval-store.ts';
import { notifyError } from '../state/notify.ts';
import { useBusy } from '../ui/hooks/use-busy.ts';
import { Message } from '../ui/message.tsx';
import { describeClaims } from '../ui/text/describe-claims.ts';
import { describeError } from '../ui/text/describe-error.ts';
import { Spelled } from '../ui/text/spelled.tsx';
import classes from './capabilities-view.module.css';

/** Ended requests that are shown. */
const MAX_ENDED = 30;

/** Requests of other programs that wait for the user, and what became of earlier ones. */
export function ApprovalsPart() {
  const { t } = useTranslation('capabilities');
  const approvals = useApprovals();
  const waiting = approvals.filter(({ state }) => state === 'waiting');
  const ended = approvals
    .filter(({ state }) => state !== 'waiting')
    .slice(-MAX_ENDED)
    .reverse();
  if (approvals.length === 0) return <Message text={t('request.none')} hint={t('request.noneHint')} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={t('part.requests')}>
      <p className={classes.hint} role="status">
        {waiting.length === 0 ? t('request.nothingWaits') : t('request.waits', { count: waiting.length })}
      </p>
      <ul className={classes.list}>
        {waiting.map((approval) => (
          <Request key={approval.id} approval={approval} />
        ))}
      </ul>
      {ended.length > 0 && (
        <>
          <h3 className={classes.heading}>{t('request.earlier')}</h3>
          <ul className={classes.list}>
            {ended.map((approval) => (
              <Request key={approval.id} approval={approval} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Request({ approval }: { approval: PendingApproval }) {
  const { t, i18n } = useTranslation('capabilities');
  const [isBusy, run] = useBusy();
  const { id, state, title, summary, detail, change, claims, questions, agreed, expiresAt, error } = approval;
  const isWaiting = state === 'waiting';
  const isFresh = useIsFresh(agreed);
  const name = toVisible(toLocalText(title, i18n.language));
  const answer = (word: 'approve' | 'reject') =>
    run(() => api.call('approvals.answer', { id, answer: word, agreed }).then(() => undefined, notifyError));
  const until = new Date(expiresAt).toLocaleString(i18n.language, { dateStyle: 'short', timeStyle: 'short' });
  const lines = change?.files.flatMap(({ path, lines: changed }) => [path, ...changed]) ?? [];
  return (
    <li className={classes.card} data-state={state} aria-label={name}>
      <div className={classes.name}>{toVisible(toLocalText(summary, i18n.language))}</div>
      <p className={classes.hint}>
        {describeCaller(approval, t)} · {t(`request.state.${state}`)}
        {isWaiting && ` · ${t('request.until', { time: until })}`}
      </p>
      {isWaiting && claims && <p className={classes.hint}>{describeClaims(claims, t)}</p>}
      {state === 'failed' && error && <p className={classes.problem}>{describeError(error, t)}</p>}
      {detail !== undefined && (
        <details open={isWaiting}>
          <summary>{t('request.sent')}</summary>
          <pre className={classes.text}>
            <Spelled text={toSpelled(detail)} />
          </pre>
        </details>
      )}
      {lines.length > 0 && (
        <details open={isWaiting}>
          <summary>{t('request.changes')}</summary>
          <pre className={classes.text}>
            <Spelled text={toSpelled(lines.join('\n'))} />
          </pre>
        </details>
      )}
      {isWaiting && (
        <div className={classes.actions}>
          <Button size="xs" disabled={isBusy || isFresh} onClick={() => answer('approve')}>
            {t(
              questions > agreed + 1
                ? 'request.approveFirst'
                : questions > 1
                  ? 'request.approveAgain'
                  : 'request.approve',
            )}
          </Button>
          <Button size="xs" variant="default" disabled={isBusy} onClick={() => answer('reject')}>
            {t('request.reject')}
          </Button>
        </div>
      )}
    </li>
  );
}

/** Milliseconds in which a second question takes no answer: a double click, or a click in another window, was meant for the first one. */
const FRESH_MS = 1500;

/** True for a moment after the user agreed to a question and another one follows in its place. */
function useIsFresh(agreed: number): boolean {
  const [known, setKnown] = useState(agreed);
  useEffect(() => {
    const timer = setTimeout(() => setKnown(agreed), FRESH_MS);
    return () => clearTimeout(timer);
  }, [agreed]);
  return agreed > known;
}

/** Says which way a request came, as the app knows it, and what its program calls itself, which is a claim. */
function describeCaller({ from, caller }: PendingApproval, t: TFunction<'capabilities'>): string {
  // The app names a program of the API that does not name itself.
  const name = from === 'api' ? caller.name : (caller.name ?? caller.id);
  return name === undefined ? t('request.fromUnnamed') : t(`request.from.${from}`, { name: toVisible(name) });
}
