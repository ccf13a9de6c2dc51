import { Button, Tooltip } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type AcceptOffer, toAcceptOffer } from '../state/review/review-reducer.ts';
import { useReview } from '../state/review/review-store.ts';
import { acceptWanted } from '../workflows/accept-proposal.ts';

interface AcceptButtonProps {
  /** True to omit the icon where space is limited. */
  isPlain?: boolean;
}

/** Accepts the selected files of the proposal; states if they are not all of them. */
export function AcceptButton({ isPlain = false }: AcceptButtonProps) {
  const { t } = useTranslation('review');
  const kind = useReview((state) => toAcceptOffer(state).kind);
  const count = useReview((state) => toAcceptOffer(state).count);
  const isBusy = useReview((state) => state.busy === 'accept');
  const isBlocked = useReview((state) => state.busy === 'reject');
  const label: Record<AcceptOffer['kind'], string> = {
    all: t('foot.accept'),
    some: t('foot.acceptSome', { count }),
    others: t('clash.others'),
    none: t('foot.acceptNone'),
    clash: t('foot.accept'),
    drafting: t('foot.accept'),
  };
  const isOff = kind === 'none' || kind === 'clash' || kind === 'drafting';
  const button = (
    <Button
      leftSection={isPlain ? null : <IconCheck size={15} />}
      loading={isBusy}
      disabled={isBlocked}
      {...(isOff && { 'data-disabled': true, 'aria-disabled': true })}
      onClick={() => void acceptWanted()}
    >
      {label[kind]}
    </Button>
  );
  if (kind !== 'drafting' && kind !== 'clash') return button;
  return <Tooltip label={t(kind === 'clash' ? 'clash.decide' : 'foot.waiting')}>{button}</Tooltip>;
}
