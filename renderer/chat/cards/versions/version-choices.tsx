import { Button, Modal } from '@mantine/core';
import { IconColumns } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OfferedVersions } from '../../../../shared/model/chat.ts';
import { toVisible } from '../../../../shared/text/shown-text.ts';
import { PlaceButton } from '../../text/place-button.tsx';
import classes from './version-choices.module.css';
import { VersionColumns } from './version-columns.tsx';

interface VersionChoicesProps {
  versions: OfferedVersions;
  /** One for each version. */
  titles: readonly string[];
  /** Indices. */
  chosen: readonly number[];
  isBusy?: boolean;
  /** Absent once the question is answered. */
  onChoose?: (index: number) => void;
}

/** The versions in the card, and in a wide dialog beside the present text. */
export function VersionChoices({ versions, titles, chosen, isBusy = false, onChoose }: VersionChoicesProps) {
  const { t } = useTranslation('chat');
  const [isWide, setWide] = useState(false);
  const { path, from, to, before, texts } = versions;
  const place = usePlaceText(versions);
  const shared = { titles, texts, chosen, isBusy };
  const choose =
    onChoose &&
    ((index: number) => {
      setWide(false);
      onChoose(index);
    });
  return (
    <>
      <p className={classes.place}>
        <PlaceButton path={path} line={from}>
          {toVisible(path.split('/').at(-1) ?? path)}
        </PlaceButton>{' '}
        {place}
      </p>
      <VersionColumns {...shared} {...(onChoose && { onChoose })} />
      <Button
        className={classes.wide ?? ''}
        size="compact-sm"
        variant="subtle"
        leftSection={<IconColumns size={14} aria-hidden />}
        onClick={() => setWide(true)}
      >
        {t('versions.wide')}
      </Button>
      <Modal
        opened={isWide}
        onClose={() => setWide(false)}
        title={t('versions.title')}
        size="min(1280px, 94vw)"
        closeButtonProps={{ 'aria-label': t('common:close') }}
      >
        <VersionColumns {...shared} before={to < from ? undefined : before} {...(choose && { onChoose: choose })} />
      </Modal>
    </>
  );
}

/** Where the versions belong, as “lines 3–5”. */
function usePlaceText({ from, to }: OfferedVersions): string {
  const { t } = useTranslation('chat');
  if (to < from) return to === 0 ? t('versions.atStart') : t('versions.after', { line: to });
  return to > from ? t('versions.lines', { from, to }) : t('versions.line', { line: from });
}
