import { UnstyledButton } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { openLine } from './open-line.ts';
import classes from './story-list.module.css';
import type { MapEdge, MapNode, StoryMap } from './story-map.ts';
import { StoryMarks } from './story-marks.tsx';

interface StoryListProps {
  map: StoryMap;
  /** What to show of it. */
  nodes: readonly MapNode[];
}

/** The map as a list, in the order one reads: for the keyboard, for screen readers, and for the quick look. */
export function StoryList({ map, nodes }: StoryListProps) {
  const { t } = useTranslation('story');
  const titles = useMemo(() => new Map(map.nodes.map(({ id, title }) => [id, title])), [map]);
  const ways = useMemo(() => Map.groupBy(map.edges, ({ from }) => from), [map]);
  const toText = ({ to, lines }: MapEdge) => [t('leadsTo', { to: titles.get(to) }), ...lines].join(' · ');
  return (
    <ul className={classes.root} aria-label={t('title')}>
      {nodes.map((node) => (
        <li key={node.id} className={classes.item}>
          <UnstyledButton className={classes.scene} onClick={() => openLine(node)}>
            <span className={classes.title}>{node.title}</span>
            <StoryMarks marks={node.marks} />
            <span className={classes.note}>{node.note}</span>
            {node.opening && <span className={classes.opening}>{node.opening}</span>}
          </UnstyledButton>
          {ways.has(node.id) && (
            <ul className={classes.ways} aria-label={t('waysOf', { title: node.title })}>
              {ways.get(node.id)?.map((edge) => (
                <li key={edge.id}>
                  <UnstyledButton className={classes.way} onClick={() => openLine(edge)}>
                    {toText(edge)}
                  </UnstyledButton>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}
