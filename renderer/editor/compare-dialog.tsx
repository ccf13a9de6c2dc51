import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { toVisible } from '../../shared/text/shown-text.ts';
import { useFocusBack } from '../ui/focus/use-focus-back.ts';
import { TextDiff } from '../ui/text-diff.tsx';
import classes from './merge-dialog.module.css';

interface CompareDialogProps {
  path: string;
  mine: string;
  theirs: string;
  onClose: () => void;
}

/** A dialog with a diff of the text on disk and the unsaved text. */
export function CompareDialog({ path, mine, theirs, onClose }: CompareDialogProps) {
  useFocusBack();
  const { t } = useTranslation('editor');
  const name = toVisible(path.split('/').at(-1) ?? path);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('compareTitle', { name })}
      size="90%"
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <p className={classes.text}>{t('compareHint')}</p>
      <div className={classes.compared}>
        <TextDiff before={theirs} after={mine} language="webgal" label={t('compareLabel', { name })} sideBySide />
      </div>
    </Modal>
  );
}
