import { UnstyledButton } from '@mantine/core';
import { IconCheck, IconCircleXFilled } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlaytestResult } from '../../shared/model/playtest/playtest-state.ts';
import { wordPicks, wordTest } from '../../shared/model/playtest/word-report.ts';
import { toVisible } from '../../shared/text/shown-text.ts';
import { VirtualList } from '../ui/list/virtual-list.tsx';
import { Message } from '../ui/message.tsx';
import classes from './playtest-view.module.css';
import { showPlace } from './show-place.ts';
import { usePlaytestWords } from './use-playtest-words.ts';

/** The results of the story's own tests; each row opens the line at which its test ended. */
export function TestsPart({ result }: { result: PlaytestResult }) {
  const { t } = useTranslation('playtest');
  const translate = usePlaytestWords();
  const scroller = useRef<HTMLDivElement>(null);
  if (result.tests.length === 0) return <Message text={t('noTests')} hint={t('noTestsHint')} />;
  return (
    <div className={classes.scroll} ref={scroller}>
      <VirtualList items={result.tests} label={t('tests')} className={classes.list} scroller={scroller}>
        {(test) => {
          const Icon = test.failure === null ? IconCheck : IconCircleXFilled;
          return (
            <div key={`${result.number} ${result.tests.indexOf(test)}`} className={classes.row}>
              <Icon
                size={14}
                className={classes.icon}
                data-severity={test.failure === null ? 'done' : 'error'}
                role="img"
                aria-label={t(test.failure === null ? 'passed' : 'failed')}
              />
              <UnstyledButton className={classes.open} onClick={() => showPlace(test.place, result)}>
                {toVisible(wordTest(translate, test))}
                {test.picks.length > 0 && (
                  <span className={classes.route}>{toVisible(wordPicks(translate, test.picks))}</span>
                )}
              </UnstyledButton>
            </div>
          );
        }}
      </VirtualList>
    </div>
  );
}
