import { MiniMap, useStore } from '@xyflow/react';
import { useTranslation } from 'react-i18next';
import { MARK_SHAPES } from '../layout/mark-shape.ts';
import { isWholeInView, type PlacedMap } from '../layout/placed-map.ts';
import classes from './story-canvas.module.css';
import type { StoryFlowNode } from './story-node.tsx';

const toColor = ({ data: { node } }: StoryFlowNode): string => {
  const mark = node.marks.find((one) => one.mark !== 'unreachable')?.mark;
  return `var(--${mark ? MARK_SHAPES[mark].ink : 'edge'})`;
};

/** An overview of the map in its corner, which is shown only while a part of the map is out of view: it covers boxes. */
export function StoryMinimap({ placed }: { placed: PlacedMap }) {
  const { t } = useTranslation('story');
  const isWhole = useStore((view) => isWholeInView(placed, view));
  if (isWhole) return null;
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
