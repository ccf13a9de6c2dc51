import { Button, Tooltip } from '@mantine/core';
import { IconChecklist } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useHistory } from '../../state/history/history-store.ts';
import { showView, useNavigation } from '../../state/navigation.ts';
import { reviewStore, useAcceptOffer, useReview } from '../../state/review/review-store.ts';
import { AcceptButton } from '../../ui/accept-button.tsx';
import { ChangeCounts } from '../../ui/change-counts.tsx';
import { useBusy } from '../../ui/hooks/use-busy.ts';
import { fileName } from '../../ui/text/file-name.ts';
import { acceptWanted } from '../../workflows/accept-proposal.ts';
import { playProposal } from '../../workflows/play-change.ts';
import { takeBackProposal } from '../../workflows/restore/take-back-proposal.ts';
import classes from '../chat-rows.module.css';
import { type ItemOf, isTakenBack } from '../chat-rows.ts';
import { PlaceButton } from '../text/place-button.tsx';

interface ReviewCardProps {
  item: ItemOf<'review'>;
}

/** A proposal in the chat: changed files, actions while it is pending, and the decision. */
export function ReviewCard({ item }: ReviewCardProps) {
  const { t } = useTranslation('chat');
  const isPending = item.state === 'pending';
  const isUndone = useHistory((state) => isTakenBack(item, state.groups));
  return (
    <section
      className={classes.card}
      data-tone={isPending ? 'accent' : 'past'}
      aria-label={t('review.title', { count: item.files.length })}
    >
      <h3 className={classes.cardTitle}>
        <IconChecklist size={16} aria-hidden />
        {t('review.title', { count: item.files.length })}
      </h3>
      <ul className={classes.files}>
        {item.files.map(({ path, added, removed }) => (
          <li key={path} className={classes.file}>
            <PlaceButton path={path} line={null}>
              <bdi>{fileName(path)}</bdi>
            </PlaceButton>
            <ChangeCounts path={path} added={added} removed={removed} />
          </li>
        ))}
      </ul>
      <p className={classes.text} data-quiet>
        {t(isUndone ? 'review.undone' : item.undone ? 'review.partlyUndone' : `review.${item.state}`)}
      </p>
      {item.feedback && <p className={classes.answer}>{item.feedback}</p>}
      {isPending && <PendingActions proposal={item.proposal} />}
      {item.state === 'accepted' && item.group && !isUndone && <GoBack group={item.group} />}
    </section>
  );
}

function PendingActions({ proposal }: { proposal: string }) {
  const { t } = useTranslation('chat');
  const isCurrent = useReview((state) => state.proposal?.id === proposal);
  const isShown = useNavigation((state) => state.view === 'review');
  const offer = useAcceptOffer();
  if (!isCurrent) return null;
  const sendBack = () => {
    showView('review');
    reviewStore.setState({ isSendingBack: true });
  };
  return (
    <div className={classes.actions}>
      <AcceptButton {...offer} isPlain onAccept={acceptWanted} />
      <Button variant="default" onClick={playProposal}>
        {t('review.play')}
      </Button>
      <Button variant="default" onClick={sendBack}>
        {t('review.back')}
      </Button>
      {!isShown && (
        <Button variant="subtle" onClick={() => showView('review')}>
          {t('review.open')}
        </Button>
      )}
    </div>
  );
}

function GoBack({ group }: { group: string }) {
  const { t } = useTranslation('chat');
  const [isBusy, run] = useBusy();
  return (
    <div className={classes.actions}>
      <Tooltip label={t('review.goBackHint')} multiline maw={260}>
        <Button variant="default" size="compact-sm" loading={isBusy} onClick={() => run(() => takeBackProposal(group))}>
          {t('review.goBack')}
        </Button>
      </Tooltip>
    </div>
  );
}
