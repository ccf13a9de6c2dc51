import { UnstyledButton } from '@mantine/core';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import type { PlacedNode } from './lay-out-story.ts';
import { StoryMarks } from './story-marks.tsx';
import classes from './story-node.module.css';

export type StoryFlowNode = Node<{ node: PlacedNode; isFound: boolean; isFocused: boolean }, 'story'>;

/** A scene or passage on the map. The list has the same for the keyboard, so these are no stops on her way. */
export function StoryNode({ data: { node, isFound, isFocused } }: NodeProps<StoryFlowNode>) {
  const isPale = node.marks.some(({ mark }) => mark === 'unreachable' || mark === 'missing');
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} className={classes.handle} />
      <UnstyledButton
        className={classes.root}
        tabIndex={-1}
        title={[node.title, node.opening].filter(Boolean).join('\n')}
        data-story-node={node.title}
        data-pale={isPale || undefined}
        data-found={isFound || undefined}
        data-focused={isFocused || undefined}
      >
        <span className={classes.head}>
          <span className={classes.title}>{node.title}</span>
          <StoryMarks marks={node.marks} />
        </span>
        <span className={classes.opening}>{node.opening}</span>
        <span className={classes.note}>{node.note}</span>
      </UnstyledButton>
      <Handle type="source" position={Position.Bottom} isConnectable={false} className={classes.handle} />
    </>
  );
}
