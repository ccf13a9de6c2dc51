import { UnstyledButton } from '@mantine/core';
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlaytestResult } from '../../shared/model/playtest/playtest-state.ts';
import type { Reached } from '../../shared/model/playtest/report.ts';
import { wordPicks, wordPlace } from '../../shared/model/playtest/word-report.ts';
import { toVisible } from '../../shared/text/shown-text.ts';
import { VirtualList } from '../ui/list/virtual-list.tsx';
import { Message } from '../ui/message.tsx';
import classes from './playtest-view.module.css';
import { toReachedState } from './reached-state.ts';
import { showPlace } from './show-place.ts';
import { usePlaytestWords } from './use-playtest-words.ts';

const MARKS = {
  isReached: [IconCheck, 'done'],
  isNotReached: [IconX, 'warning'],
  isNotReachedYet: [IconMinus, 'open'],
} as const;

interface Row extends Reached {
  kind: 'ending' | 'scene';
}

/** Endings and scenes, each with the fewest choices that lead there; those that no route reaches come first. */
export function ReachedPart({ result }: { result: PlaytestResult }) {
  const { t } = useTranslation('playtest');
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => toRows(result), [result]);
  if (rows.length === 0) return <Message text={t('notPlayed')} />;
  return (
    <div className={classes.scroll} ref={scroller}>
      <VirtualList items={rows} label={t('reached')} className={classes.list} scroller={scroller}>
        {(row) => <ReachedRow key={`${row.kind} ${row.place.path}:${row.place.line}`} row={row} result={result} />}
      </VirtualList>
    </div>
  );
}

function toRows({ endings, scenes }: PlaytestResult): Row[] {
  const rows = [
    ...endings.map((one): Row => ({ ...one, kind: 'ending' })),
    ...scenes.map((one): Row => ({ ...one, kind: 'scene' })),
  ];
  return [...rows.filter(({ route }) => route === null), ...rows.filter(({ route }) => route !== null)];
}

function ReachedRow({ row: { kind, place, route }, result }: { row: Row; result: PlaytestResult }) {
  const { t } = useTranslation('playtest');
  const translate = usePlaytestWords();
  const state = toReachedState({ place, route }, result);
  const [Icon, severity] = MARKS[state];
  return (
    <div className={classes.row}>
      <Icon size={14} className={classes.icon} data-severity={severity} role="img" aria-label={t(state)} />
      <UnstyledButton className={classes.open} onClick={() => showPlace(place, result)}>
        {t(kind)} <span className={classes.place}>{toVisible(wordPlace(place))}</span>
        <span className={classes.route}>
          {route === null
            ? t(state)
            : route.length === 0
              ? translate('endingNow')
              : toVisible(wordPicks(translate, route))}
        </span>
      </UnstyledButton>
    </div>
  );
}
