import { MiniMap } from '@xyflow/react';
import { useTranslation } from 'react-i18next';
import { MARK_SHAPES } from '../layout/mark-shape.ts';
import classes from './story-canvas.module.css';
import type { StoryFlowNode } from './story-node.tsx';

const toColor = ({ data: { node } }: StoryFlowNode): string => {
  const mark = node.marks.find((one) => one.mark !== 'unreachable')?.mark;
  return `var(--${mark ? MARK_SHAPES[mark].ink : 'edge'})`;
};

export function StoryMinimap() {
  const { t } = useTranslation('story');
  return (
    <MiniMap
      className={classes.overview ?? ''}
      position="bottom-left"
      ariaLabel={t('overview')}
      nodeColor={toColor}
      nodeStrokeWidth={0}
      nodeBorderRadius={20}
      maskStrokeColor="var(--accent)"
      maskStrokeWidth={1.5}
      pannable
    />
  );
}
