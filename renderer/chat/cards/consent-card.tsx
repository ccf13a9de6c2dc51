import { Button } from '@mantine/core';
import { IconShieldQuestion } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ConsentAnswer } from '../../../shared/model/chat.ts';
import { toLocalText } from '../../../shared/model/local-text.ts';
import { toPlainSentence, toQuoted } from '../../../shared/text/shown-text.ts';
import { toSpelled } from '../../../shared/text/spelled-text.ts';
import { useBusy } from '../../ui/hooks/use-busy.ts';
import { describeClaims } from '../../ui/text/describe-claims.ts';
import { Spelled } from '../../ui/text/spelled.tsx';
import { answerConsent } from '../chat-actions.ts';
import classes from '../chat-rows.module.css';
import type { ItemOf } from '../chat-rows.ts';
import { MentionText } from '../text/mention-text.tsx';
import { ChangeDetails } from './change-details.tsx';
import { useQuestionCard } from './use-question-card.ts';

interface ConsentCardProps {
  item: ItemOf<'consent'>;
}

/** A permission request: the step, its command or change, and three answers. */
export function ConsentCard({ item }: ConsentCardProps) {
  const { t, i18n } = useTranslation('chat');
  const [isBusy, run] = useBusy();
  const isOpen = item.state === 'pending';
  const answer = (word: ConsentAnswer) => run(() => answerConsent(item.id, word));
  const card = useQuestionCard({ isOpen, onAnswer: (agrees) => answer(agrees ? 'once' : 'no') });
  const title = toLocalText(item.title, i18n.language);
  const { state } = item;
  const isSkills = item.why === 'skills';
  const changed = (item.changed ?? []).map((part) => t(`consent.changed.${part}`));
  return (
    <section
      {...card}
      className={classes.card}
      data-tone={isOpen ? 'accent' : 'past'}
      data-consent={state}
      aria-label={
        isOpen ? `${t('consent.title')} ${toPlainSentence(toLocalText(item.summary, i18n.language))}` : undefined
      }
      aria-description={isOpen ? t('consent.hint') : undefined}
    >
      <h3 className={classes.cardTitle}>
        <IconShieldQuestion size={16} aria-hidden />
        <span className={classes.cardName}>{t(isOpen ? 'consent.title' : 'consent.titlePast')}</span>
        {state !== 'pending' && (
          <span className={classes.cardState}>
            {t(isSkills && state === 'once' ? 'consent.skills.used' : `consent.answer.${state}`)}
          </span>
        )}
      </h3>
      <p className={classes.text}>
        <MentionText text={toLocalText(item.summary, i18n.language)} />
      </p>
      {isOpen && (
        <p className={classes.text} data-quiet>
          {t(`consent.why.${item.why}`, {
            defaultValue: t('consent.why.unknown'),
            changed: changed.join(t('common:listSeparator')),
          })}
        </p>
      )}
      {item.claims && (
        <p className={classes.text} data-quiet={!isOpen || undefined}>
          {describeClaims(item.claims, t)}
        </p>
      )}
      {item.paths.length > 1 && (
        <p className={classes.text}>
          <MentionText text={t('consent.files', { files: item.paths.map(toQuoted).join(t('common:listSeparator')) })} />
        </p>
      )}
      {item.detail !== undefined && <ConsentDetail text={item.detail} isSkills={isSkills} isOpen={isOpen} />}
      {item.change && <ChangeDetails change={item.change} isOpen={isOpen} />}
      {isOpen && (
        <div className={classes.actions}>
          <Button disabled={isBusy} onClick={() => answer('once')}>
            {t(isSkills ? 'consent.skills.use' : 'consent.once')}
          </Button>
          <Button variant="default" disabled={isBusy} onClick={() => answer('no')}>
            {t('consent.no')}
          </Button>
          {item.canAlways && (
            <Button className={classes.long ?? ''} variant="default" disabled={isBusy} onClick={() => answer('always')}>
              {t('consent.always', { tool: title })}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

/** The exact text that would be run or followed, with invisible characters spelled out. */
function ConsentDetail({ text, isSkills, isOpen }: { text: string; isSkills: boolean; isOpen: boolean }) {
  const { t } = useTranslation('chat');
  return (
    <details className={classes.details} open={isOpen}>
      <summary>{t(isSkills ? 'consent.skills.detail' : 'consent.detail')}</summary>
      <pre>
        <Spelled text={toSpelled(text)} />
      </pre>
    </details>
  );
}
