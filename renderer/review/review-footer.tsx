import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Proposal } from '../../shared/model/proposal.ts';
import { isScene } from '../state/project/file-kinds.ts';
import { countChosen } from '../state/review/review-reducer.ts';
import { reviewStore, useAcceptOffer, useReview } from '../state/review/review-store.ts';
import { AcceptButton } from '../ui/accept-button.tsx';
import { acceptWanted, rejectProposal } from '../workflows/accept-proposal.ts';
import { playProposal } from '../workflows/play-change.ts';
import classes from './review-footer.module.css';
import { SendBackForm } from './send-back-form.tsx';

interface ReviewFooterProps {
  proposal: Proposal;
}

/** The three actions that end a review. Fixed below the content. */
export function ReviewFooter({ proposal }: ReviewFooterProps) {
  const { t } = useTranslation('review');
  const isSendingBack = useReview((state) => state.isSendingBack);
  const offer = useAcceptOffer();
  const { busy } = offer;
  const chosen = useReview((state) => countChosen(state).chosen);
  const total = useReview((state) => countChosen(state).total);
  const isReady = proposal.state === 'review';
  if (isSendingBack && isReady) return <SendBackForm />;
  const canPlay = proposal.files.some((file) => isScene(file.path) && file.after !== null && file.hunks.length > 0);
  const hasSome = chosen > 0 && chosen < total;
  return (
    <footer className={classes.root}>
      <AcceptButton {...offer} onAccept={acceptWanted} />
      <Button variant="default" leftSection={<IconPlayerPlay size={14} />} disabled={!canPlay} onClick={playProposal}>
        {t('foot.play')}
      </Button>
      <Button
        variant="default"
        disabled={!isReady || busy !== null}
        onClick={() =>
          proposal.author === 'user' ? void rejectProposal('') : reviewStore.setState({ isSendingBack: true })
        }
      >
        {t(proposal.author === 'user' ? 'byUser.drop' : 'foot.back')}
      </Button>
      <span className={classes.note} data-always={hasSome || undefined}>
        {hasSome ? t('foot.restWaits', { count: total - chosen }) : t('foot.keys')}
      </span>
    </footer>
  );
}
