import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { openPlace } from '../../workflows/open-place.ts';
import classes from './place-button.module.css';

interface PlaceButtonProps {
  path: string;
  line: number | null;
  children: ReactNode;
}

/** A button that opens a file, or a line of it, that is named in the chat. */
export function PlaceButton({ path, line, children }: PlaceButtonProps) {
  const { t } = useTranslation('chat');
  return (
    <UnstyledButton
      component="button"
      className={classes.root}
      title={
        line === null ? t('link.open', { path: toVisible(path) }) : t('link.openLine', { path: toVisible(path), line })
      }
      onClick={() => void openPlace(path, line)}
    >
      {children}
    </UnstyledButton>
  );
}
