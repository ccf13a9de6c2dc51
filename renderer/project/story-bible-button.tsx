import { ActionIcon, Tooltip } from '@mantine/core';
import { IconBook2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { notifyError } from '../state/notify.ts';
import { openStoryBible } from './open-story-bible.ts';

/** A button that opens the story bible: characters, tone and rules for the whole story. */
export function StoryBibleButton() {
  const { t } = useTranslation('project');
  const label = t('bible.open');
  return (
    <Tooltip label={t('bible.about')} multiline maw={280}>
      <ActionIcon aria-label={label} onClick={() => void openStoryBible(t('bible.template')).catch(notifyError)}>
        <IconBook2 size={17} stroke={1.7} />
      </ActionIcon>
    </Tooltip>
  );
}
