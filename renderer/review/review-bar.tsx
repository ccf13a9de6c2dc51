import { ActionIcon, Loader, SegmentedControl, Tooltip } from '@mantine/core';
import { IconChecklist, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Proposal } from '../../shared/model/proposal.ts';
import { showView } from '../state/navigation.ts';
import { isScene } from '../state/project/file-kinds.ts';
import { reviewStore, useReview } from '../state/review/review-store.ts';
import classes from './review-bar.module.css';

interface ReviewBarProps {
  proposal: Proposal;
}

/** Header of a review: title, a note that nothing is written yet, and the view switch. */
export function ReviewBar({ proposal }: ReviewBarProps) {
  const { t } = useTranslation('review');
  // Only scenes have a story view.
  const hasStory = useReview((state) => state.path === null || isScene(state.path));
  const view = useReview((state) => (hasStory ? state.view : 'text'));
  const { state, summary } = proposal;
  const isByUser = proposal.author === 'user';
  const isChoice = isByUser && proposal.files.length > 1;
  const text = isChoice ? t('byUser.text', { summary }) : summary.trim() || t(`bar.${state}Text`);
  return (
    <header className={classes.root}>
      <span className={classes.icon} aria-hidden>
        {state === 'drafting' ? <Loader size={15} /> : <IconChecklist size={18} stroke={1.7} />}
      </span>
      <div className={classes.words}>
        <h2 className={classes.title}>
          {t(isByUser ? 'byUser.title' : 'title')} · {t(`bar.${state}`)}
        </h2>
        <p className={classes.text} title={text}>
          {text}
        </p>
      </div>
      <SegmentedControl
        className={classes.views ?? ''}
        aria-label={t('view.label')}
        value={view}
        data={[
          { value: 'story', label: t('view.story'), disabled: !hasStory },
          { value: 'text', label: t('view.text') },
        ]}
        onChange={(value) =>
          reviewStore.setState(({ jumps }) => ({ view: value === 'text' ? 'text' : 'story', jumps: jumps + 1 }))
        }
      />
      <Tooltip label={`${t('leave')}  Esc`}>
        <ActionIcon aria-label={t('leave')} onClick={() => showView('write')}>
          <IconX size={16} />
        </ActionIcon>
      </Tooltip>
    </header>
  );
}
