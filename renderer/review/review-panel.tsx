import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { isAssetName } from '../../shared/model/asset/asset.ts';
import { withEdits } from '../../shared/text/pieces.ts';
import { isLineEndingsOnly } from '../../shared/text/shown-lines.ts';
import { isScene } from '../state/project/file-kinds.ts';
import { readAsset } from '../state/project/read-asset.ts';
import { usePartCheck } from '../state/review/part-check.ts';
import { isConflicting } from '../state/review/review-reducer.ts';
import { useReview } from '../state/review/review-store.ts';
import { AssetComparison } from '../ui/asset-frame.tsx';
import { Message } from '../ui/message.tsx';
import { ChangeBar } from './change-bar.tsx';
import { ConflictNotice, MergeNotice } from './conflict-notice.tsx';
import { ProposalFiles } from './files/proposal-files.tsx';
import { DependencyNotice } from './pieces/dependency-notice.tsx';
import { TickAnnouncement } from './pieces/piece-tick.tsx';
import { useFollowedPart } from './pieces/use-followed-part.ts';
import { ProblemList } from './problem-list.tsx';
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
  const proposed = proposal?.files.find((entry) => entry.path === path);
  const edits = useReview((state) => (path === null ? undefined : state.edits.get(path)));
  const file = useMemo(() => proposed && withEdits(proposed, edits), [proposed, edits]);
  const check = usePartCheck();
  const hasConflict = useReview((state) => file !== undefined && isConflicting(state, file));
  useReviewKeys();
  useFollowedPart();
  if (!proposal || !file || !proposed) return <Message text={t('none.title')} hint={t('none.text')} />;
  const isChecked = check.of?.proposal === proposal;
  const problems = (isChecked ? check.added : null) ?? proposal.newProblems;
  const fixed = isChecked ? check.fixed.length : 0;
  return (
    <div className={classes.root} data-review>
      <ReviewBar proposal={proposal} />
      <div className={classes.where}>
        <ProposalFiles files={proposal.files} />
        <ChangeBar file={file} />
        <TickAnnouncement />
      </div>
      {hasConflict && <ConflictNotice file={file} isReady={proposal.state === 'review'} />}
      {isLineEndingsOnly(file.before, file.after) && <Message text={t('common:lineEndingsOnly')} />}
      {file.isMerged && !hasConflict && <MergeNotice file={file} />}
      <div className={classes.content}>
        {isAssetName(file.path) ? (
          <AssetComparison
            path={file.path}
            before={file.before}
            after={file.after}
            labels={{ before: t('asset.now'), after: t('asset.proposed') }}
            read={readAsset}
          />
        ) : view === 'story' && isScene(file.path) ? (
          <StoryView file={file} proposed={proposed} problems={problems} />
        ) : (
          <TextView file={file} proposed={proposed} hasConflict={hasConflict} />
        )}
      </div>
      {isChecked && check.dependencies.length > 0 && <DependencyNotice dependencies={check.dependencies} />}
      {problems.length + fixed > 0 && (
        <ProblemList
          problems={problems}
          fixed={fixed}
          isPart={isChecked && check.added !== null}
          isReady={proposal.state === 'review'}
          isFixable={proposal.author !== 'user'}
        />
      )}
      <ReviewFooter proposal={proposal} />
    </div>
  );
}
