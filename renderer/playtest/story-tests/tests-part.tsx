import { ActionIcon, Button, Tooltip, UnstyledButton } from '@mantine/core';
import {
  IconCheck,
  IconCircleDashed,
  IconCircleXFilled,
  IconPencil,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlaytestResult } from '../../../shared/model/playtest/playtest-state.ts';
import { STORY_TESTS_PATH, type StoryTestResult } from '../../../shared/model/playtest/story-test.ts';
import { wordPicks, wordTest } from '../../../shared/model/playtest/word-report.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { usePlaytest } from '../../state/playtest/playtest-store.ts';
import { useStoryTests } from '../../state/playtest/story-tests-store.ts';
import { VirtualList } from '../../ui/list/virtual-list.tsx';
import { Message } from '../../ui/message.tsx';
import { describeError } from '../../ui/text/describe-error.ts';
import { showFile } from '../../workflows/show-file.ts';
import { openTest, recordRoute, removeTest, runTest } from '../../workflows/stage/story-tests.ts';
import classes from '../playtest-view.module.css';
import { showPlace } from '../show-place.ts';
import { usePlaytestWords } from '../use-playtest-words.ts';
import { toTestRows } from './test-rows.ts';

/** The story's own tests with their last results: each can be run alone, changed and removed. */
export function TestsPart({ result }: { result: PlaytestResult | null }) {
  const { t } = useTranslation('playtest');
  const file = useStoryTests((state) => state.file);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = toTestRows(file?.tests ?? [], result);
  const record = (
    <Button size="xs" variant="default" onClick={recordRoute}>
      {t('record')}
    </Button>
  );
  if (file === null) return <Message text={t('common:loading')} />;
  return (
    <>
      {file.fault !== null && (
        <Message tone="error" text={describeError(file.fault, t)} hint={t('faultHint')}>
          <Button size="xs" variant="default" onClick={() => showFile(STORY_TESTS_PATH)}>
            {t('openFile')}
          </Button>
        </Message>
      )}
      {file.fault === null && rows.length === 0 && (
        <Message text={t('noTests')} hint={t('noTestsHint')}>
          {record}
        </Message>
      )}
      {rows.length > 0 && (
        <>
          {file.fault === null && <div className={classes.tools}>{record}</div>}
          <div className={classes.scroll} ref={scroller}>
            <VirtualList items={rows} label={t('tests')} className={classes.list} scroller={scroller}>
              {({ key, ...row }) => <TestRow key={key} {...row} played={result} />}
            </VirtualList>
          </div>
        </>
      )}
    </>
  );
}

interface TestRowProps {
  name: string;
  /** The place in the file; null for a test that is not in it, as in a proposal that was played. */
  at: number | null;
  result: StoryTestResult | null;
  played: PlaytestResult | null;
}

const STATES = {
  passed: { Icon: IconCheck, severity: 'done' },
  failed: { Icon: IconCircleXFilled, severity: 'error' },
  notRun: { Icon: IconCircleDashed, severity: 'open' },
} as const;

function TestRow({ name, at, result, played }: TestRowProps) {
  const { t } = useTranslation('playtest');
  const translate = usePlaytestWords();
  const isIdle = usePlaytest((state) => (state.run?.status ?? 'idle') === 'idle');
  const state = result === null ? 'notRun' : result.failure === null ? 'passed' : 'failed';
  const { Icon, severity } = STATES[state];
  const shown = toVisible(name);
  return (
    <div className={classes.row}>
      <Icon size={14} className={classes.icon} data-severity={severity} role="img" aria-label={t(state)} />
      {result === null || played === null ? (
        <span className={classes.open}>{t('notRunName', { name: shown })}</span>
      ) : (
        <UnstyledButton className={classes.open} onClick={() => showPlace(result.place, played)}>
          {toVisible(wordTest(translate, result))}
          {result.picks.length > 0 && (
            <span className={classes.route}>{toVisible(wordPicks(translate, result.picks))}</span>
          )}
        </UnstyledButton>
      )}
      {at !== null && (
        <span className={classes.acts}>
          <Act label={t('runOne', { name: shown })} isDisabled={!isIdle} onClick={() => runTest(name, 'unsaved')}>
            <IconPlayerPlay size={14} stroke={1.6} />
          </Act>
          <Act label={t('editOne', { name: shown })} onClick={() => openTest(at)}>
            <IconPencil size={14} stroke={1.6} />
          </Act>
          <Act label={t('removeOne', { name: shown })} onClick={() => void removeTest(at)}>
            <IconTrash size={14} stroke={1.6} />
          </Act>
        </span>
      )}
    </div>
  );
}

interface ActProps {
  label: string;
  isDisabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Act({ label, isDisabled = false, onClick, children }: ActProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon size="sm" variant="subtle" color="gray" aria-label={label} disabled={isDisabled} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
