import { useTranslation } from 'react-i18next';
import { isLineEndingsOnly } from '../../shared/text/shown-lines.ts';
import { isScene } from '../state/project/file-kinds.ts';
import { isConflicting } from '../state/review/review-reducer.ts';
import { useReview } from '../state/review/review-store.ts';
import { Message } from '../ui/message.tsx';
import { ChangeBar } from './change-bar.tsx';
import { ConflictNotice, MergeNotice } from './conflict-notice.tsx';
import { ProblemList } from './problem-list.tsx';
import { ProposalFiles } from './proposal-files.tsx';
import { ReviewBar } from './review-bar.tsx';
import { ReviewFooter } from './review-footer.tsx';
import classes from './review-panel.module.css';
import { StoryView } from './story/story-view.tsx';
import { TextView } from './text-view.tsx';
import { useReviewKeys } from './use-review-keys.ts';

/** A proposal in story or text view, with the actions always visible. */
export function ReviewPanel() {
  const { t } = useTranslation('review');
  const proposal = useReview((state) => state.proposal);
  const path = useReview((state) => state.path);
  const view = useReview((state) => state.view);
  const file = proposal?.files.find((entry) => entry.path === path);
  const hasConflict = useReview((state) => file !== undefined && isConflicting(state, file));
  useReviewKeys();
  if (!proposal || !file) return <Message text={t('none.title')} hint={t('none.text')} />;
  return (
    <div className={classes.root} data-review>
      <ReviewBar proposal={proposal} />
      <div className={classes.where}>
        <ProposalFiles files={proposal.files} />
        <ChangeBar file={file} />
      </div>
      {hasConflict && <ConflictNotice file={file} isReady={proposal.state === 'review'} />}
      {isLineEndingsOnly(file.before, file.after) && <Message text={t('common:lineEndingsOnly')} />}
      {file.isMerged && !hasConflict && <MergeNotice file={file} />}
      <div className={classes.content}>
        {view === 'story' && isScene(file.path) ? (
          <StoryView file={file} problems={proposal.newProblems} />
        ) : (
          <TextView file={file} hasConflict={hasConflict} />
        )}
      </div>
      {proposal.newProblems.length > 0 && (
        <ProblemList
          problems={proposal.newProblems}
          isReady={proposal.state === 'review'}
          isFixable={proposal.author !== 'user'}
        />
      )}
      <ReviewFooter proposal={proposal} />
    </div>
  );
}
