import { UnstyledButton } from '@mantine/core';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { SessionHit } from '../../../shared/model/conversation/session-hit.ts';
import { VirtualList } from '../../ui/list/virtual-list.tsx';
import { timeAgo } from '../../ui/text/time-ago.ts';
import classes from './conversations.module.css';

interface HitListProps {
  hits: readonly SessionHit[];
  now: number;
  scroller: RefObject<HTMLElement | null>;
  onOpen: (hit: SessionHit) => void;
}

const HIT_HEIGHT = 56;

/** What a search found: the title of the conversation, and the place with its words marked. */
export function HitList({ hits, now, scroller, onOpen }: HitListProps) {
  const { t, i18n } = useTranslation('chat');
  const rows = hits.map((hit, index) => ({ hit, index }));
  return (
    <VirtualList
      items={rows}
      label={t('sessions.hits')}
      className={classes.list}
      scroller={scroller}
      rowHeight={HIT_HEIGHT}
      toText={({ hit }) => hit.title}
    >
      {({ hit, index }, tabIndex) => (
        <UnstyledButton key={index} className={classes.hit} tabIndex={tabIndex} onClick={() => onOpen(hit)}>
          <span className={classes.head}>
            <bdi className={classes.title}>{hit.title}</bdi>
            {hit.isForeign && <span className={classes.foreign}>{t('sessions.foreign')}</span>}
            <span className={classes.when}>{timeAgo(hit.at, i18n.language, now)}</span>
          </span>
          <span className={classes.snippet}>
            <span className={classes.by}>{t(`sessions.by.${hit.by}`)}</span>
            <bdi>
              {hit.before}
              <mark className={classes.match}>{hit.match}</mark>
              {hit.after}
            </bdi>
          </span>
        </UnstyledButton>
      )}
    </VirtualList>
  );
}
