import { SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { isScene, toStageUrl } from '../../state/project/file-kinds.ts';
import { useStage } from '../../state/stage/stage-store.ts';
import { StoryComparison, toComparedSections } from '../../ui/story/story-comparison.tsx';
import { StoryPictureContext } from '../../ui/story/story-parts.tsx';
import { TextDiff } from '../../ui/text-diff.tsx';
import classes from './checkpoints.module.css';

/** A text in both states. A scene is shown as a story first, unless too much of it differs. */
export function KeptText({ path, before, after }: { path: string; before: string; after: string }) {
  const { t } = useTranslation(['history', 'review']);
  const [isText, setText] = useState(false);
  const url = useStage((state) => state.stage.url);
  const toPicture = useMemo(() => (picture: string) => (url ? toStageUrl(url, picture) : null), [url]);
  const sections = useMemo(() => (isScene(path) ? toComparedSections(before, after) : null), [path, before, after]);
  const label = t('history:states.fileLabel', { name: toVisible(path) });
  return (
    <div className={classes.text} data-tall={sections !== null || undefined}>
      {sections && (
        <SegmentedControl
          className={classes.reading}
          size="xs"
          aria-label={t('review:view.label')}
          value={isText ? 'text' : 'story'}
          onChange={(value) => setText(value === 'text')}
          data={[
            { value: 'story', label: t('review:view.story') },
            { value: 'text', label: t('review:view.text') },
          ]}
        />
      )}
      {sections && !isText ? (
        <StoryPictureContext value={toPicture}>
          <StoryComparison sections={sections} label={label} />
        </StoryPictureContext>
      ) : (
        <TextDiff before={before} after={after} language="webgal" label={label} />
      )}
    </div>
  );
}
