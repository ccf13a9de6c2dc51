import { Button, CloseButton } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { StoryView } from './story-operations.ts';
import { foldChapters } from './story-store.ts';
import classes from './story-view.module.css';

/** Lists the open chapters, each with a button to fold it. */
export const OpenChapters = memo(function OpenChapters({ open }: { open: StoryView['open'] }) {
  const { t } = useTranslation('story');
  return (
    <ul className={classes.chapters} aria-label={t('chapter.open')}>
      {open.map(({ id, title }) => (
        <li key={id} className={classes.chip}>
          {title}
          <CloseButton
            size={18}
            iconSize={12}
            aria-label={t('chapter.fold', { title })}
            title={t('chapter.fold', { title })}
            onClick={() => foldChapters(id)}
          />
        </li>
      ))}
      {open.length > 1 && (
        <li>
          <Button variant="subtle" size="compact-xs" onClick={() => foldChapters(null)}>
            {t('chapter.foldAll')}
          </Button>
        </li>
      )}
    </ul>
  );
});
