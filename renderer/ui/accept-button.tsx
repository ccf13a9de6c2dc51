import { Button, Tooltip } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/** What the button offers, with the number of files, or of changes for `pieces`; `total`: how many there are. */
export interface AcceptOffer {
  kind: 'all' | 'some' | 'pieces' | 'others' | 'none' | 'conflict' | 'drafting';
  count: number;
  total: number;
}

interface AcceptButtonProps extends AcceptOffer {
  /** The running request on the proposal. */
  busy: 'accept' | 'reject' | null;
  /** True to omit the icon where space is limited. */
  isPlain?: boolean;
  onAccept: () => Promise<void>;
}

/** Accepts the selected files of the proposal; states if they are not all of them. */
export function AcceptButton({ kind, count, total, busy, isPlain = false, onAccept }: AcceptButtonProps) {
  const { t } = useTranslation('review');
  const label: Record<AcceptOffer['kind'], string> = {
    all: t('foot.accept'),
    some: t('foot.acceptSome', { count }),
    pieces: t('foot.acceptPieces', { count, total }),
    others: t('conflict.others'),
    none: t('foot.acceptNone'),
    conflict: t('foot.accept'),
    drafting: t('foot.accept'),
  };
  const isOff = kind === 'none' || kind === 'conflict' || kind === 'drafting';
  const button = (
    <Button
      leftSection={isPlain ? null : <IconCheck size={15} />}
      loading={busy === 'accept'}
      disabled={busy === 'reject'}
      {...(isOff && { 'data-disabled': true, 'aria-disabled': true })}
      onClick={() => void onAccept()}
    >
      {label[kind]}
    </Button>
  );
  if (kind !== 'drafting' && kind !== 'conflict') return button;
  return <Tooltip label={t(kind === 'conflict' ? 'conflict.decide' : 'foot.waiting')}>{button}</Tooltip>;
}
