import { IconPencil } from '@tabler/icons-react';
import type { Node, NodeProps } from '@xyflow/react';
import { memo, useContext, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { MapNode } from '../layout/story-map.ts';
import { toActive, useStory } from '../story-store.ts';
import { useUnplayed } from '../unplayed/use-unplayed.ts';
import { NeighboursContext } from './neighbours-context.ts';
import { StoryMarks } from './story-marks.tsx';
import classes from './story-node.module.css';

/** Display state of a node besides its content. */
export interface NodeMarks {
  isFound: boolean;
  isFocused: boolean;
  /** True if the node contains the cursor line of the editor. */
  isHere: boolean;
  /** True for the single tab stop of the map. */
  isStop: boolean;
}

export interface StoryNodeData extends NodeMarks, Record<string, unknown> {
  node: MapNode;
}

export type StoryFlowNode = Node<StoryNodeData, 'story'>;

/** Characters of a name beside one mark with its word; names of scenes often differ at their end. */
const ROOM = 14;
const hasRoomForMarks = ({ title, marks }: MapNode): boolean => marks.length < 2 && title.length <= ROOM;

/** A scene or passage on the map. */
export const StoryNode = memo(function StoryNode({ data }: NodeProps<StoryFlowNode>) {
  const { node, isFound, isFocused, isHere, isStop } = data;
  const { t } = useTranslation('story');
  const { neighbours, keyTarget } = useContext(NeighboursContext);
  const button = useRef<HTMLButtonElement>(null);
  const relation = useStory((state) => {
    const active = toActive(state);
    if (active === null) return undefined;
    if (active === node.id) return 'self';
    if (neighbours?.after(active).has(node.id)) return 'after';
    return neighbours?.before(active).has(node.id) ? 'before' : undefined;
  });
  const unplayed = useUnplayed(node);
  const isChosen = useStory((state) => state.chosen === node.id);

  useEffect(() => {
    // Arrow keys can select a node that is not rendered yet; it takes the focus when it mounts.
    if (!isChosen || keyTarget.current !== node.id) return;
    keyTarget.current = null;
    button.current?.focus({ preventScroll: true });
  }, [isChosen, keyTarget, node.id]);

  const isPale = !node.folded && node.marks.some(({ mark }) => mark === 'unreachable' || mark === 'missing');
  const [before, after] = [neighbours?.before(node.id).size ?? 0, neighbours?.after(node.id).size ?? 0];
  return (
    // A plain button: with many nodes, buttons of the component library cost a frame.
    <button
      ref={button}
      type="button"
      className={classes.root}
      tabIndex={isStop ? 0 : -1}
      title={[node.title, node.opening, unplayed?.text].filter(Boolean).join('\n')}
      aria-current={isHere || undefined}
      aria-expanded={node.folded ? false : undefined}
      data-folded={node.folded ? '' : undefined}
      data-story-node={node.title}
      data-marks={node.folded ? '' : node.marks.map(({ mark }) => mark).join(' ')}
      data-pale={isPale || undefined}
      data-unplayed={unplayed?.part}
      data-found={isFound || undefined}
      data-focused={isFocused || undefined}
      data-here={isHere || undefined}
      data-relation={relation}
    >
      <span className={classes.head}>
        {isHere && <IconPencil className={classes.pencil} size={13} stroke={2} aria-hidden />}
        <Title text={node.title} />
        {!node.folded && <StoryMarks marks={node.marks} isShort={!hasRoomForMarks(node)} />}
      </span>
      {!node.folded && <span className={classes.opening}>{node.opening}</span>}
      <span className={classes.note}>
        {unplayed && <span className={classes.unplayed}>{unplayed.text} · </span>}
        {node.note}
      </span>
      {node.folded && (
        <span className={classes.marks}>
          <StoryMarks marks={node.marks} />
        </span>
      )}
      <span className={classes.spoken}>
        {[
          node.folded ? t('chapter.folded') : '',
          isHere ? t('here') : '',
          t('waysIn', { count: before }),
          t('waysOut', { count: after }),
        ]
          .filter(Boolean)
          .join(t('common:listSeparator'))}
      </span>
    </button>
  );
});

/** Characters at the end of a long name that are never cut. */
const END = 7;

/** A name in one line, cut before its end if it is too long. */
function Title({ text }: { text: string }) {
  const characters = [...text];
  if (characters.length <= ROOM) return <span className={classes.title}>{text}</span>;
  return (
    <>
      <span className={`${classes.title} ${classes.long}`} aria-hidden>
        <span className={classes.start}>{characters.slice(0, -END).join('')}</span>
        <span className={classes.end}>{characters.slice(-END).join('')}</span>
      </span>
      <span className={classes.spoken}>{text}</span>
    </>
  );
}
