import { Button, Menu, SegmentedControl } from '@mantine/core';
import { IconDownload, IconRoute } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { PlaytestResult } from '../../shared/model/playtest/playtest-state.ts';
import { wordEngine } from '../../shared/model/playtest/word-report.ts';
import { toVisible } from '../../shared/text/shown-text.ts';
import { api } from '../api.ts';
import { notifyError } from '../state/notify.ts';
import { PLAYTEST_PARTS, type PlaytestPart, showPlaytestPart, usePlaytest } from '../state/playtest/playtest-store.ts';
import { editTest, useStoryTests } from '../state/playtest/story-tests-store.ts';
import { Message } from '../ui/message.tsx';
import { PaneHeader } from '../ui/pane-header.tsx';
import { saveFile } from '../ui/save-file.ts';
import { describeError } from '../ui/text/describe-error.ts';
import { CoveragePart } from './coverage-part.tsx';
import { FindingsPart } from './findings-part.tsx';
import classes from './playtest-view.module.css';
import { ReachedPart } from './reached-part.tsx';
import { RunBar } from './run-bar.tsx';
import { StoryTestDialog } from './story-tests/story-test-dialog.tsx';
import { TestsPart } from './story-tests/tests-part.tsx';
import { usePlaytestWords } from './use-playtest-words.ts';

/** What was played; the tests are shown without it, too. */
const PLAYED_PARTS = { findings: FindingsPart, reached: ReachedPart, coverage: CoveragePart } as const;

/** Plays the story's routes without a window, and lists what players would run into. */
export function PlaytestView() {
  const { t, i18n } = useTranslation('playtest');
  const result = usePlaytest((state) => state.result);
  const error = usePlaytest((state) => state.run?.error ?? null);
  const draft = useStoryTests((state) => state.draft);
  const note = result
    ? t('asOf', { time: new Date(result.at).toLocaleString(i18n.language, { dateStyle: 'short', timeStyle: 'short' }) })
    : t('note');
  return (
    <>
      <PaneHeader title={t('title')} note={note}>
        {result && <ExportMenu />}
      </PaneHeader>
      <RunBar />
      {error !== null && (
        <p className={classes.problem} role="alert">
          {describeError(error, t)}
        </p>
      )}
      <Report result={result} />
      {draft !== null && <StoryTestDialog draft={draft} onClose={() => editTest(null)} />}
    </>
  );
}

function Report({ result }: { result: PlaytestResult | null }) {
  const { t } = useTranslation('playtest');
  const words = usePlaytestWords();
  const part = usePlaytest((state) => state.part);
  const tests = useStoryTests((state) => state.file?.tests.length ?? 0);
  const isIdle = usePlaytest((state) => (state.run?.status ?? 'idle') === 'idle');
  const progress = usePlaytest((state) => (isIdle ? null : (state.run?.progress ?? null)));
  const coverage = result?.coverage ?? progress;
  const counts: Record<PlaytestPart, number> = {
    findings: result ? result.errors + result.warnings : (progress?.findings ?? 0),
    reached: result?.endings.length ?? 0,
    coverage: coverage && coverage.lines > 0 ? percentOf(coverage) : 0,
    tests,
  };
  const Part = part === 'tests' ? null : PLAYED_PARTS[part];
  return (
    <>
      <div className={classes.parts}>
        <SegmentedControl
          size="xs"
          aria-label={t('parts')}
          value={part}
          onChange={showPlaytestPart}
          data={PLAYTEST_PARTS.map((value) => ({ value, label: t(`part.${value}`, { count: counts[value] }) }))}
        />
        {result && (
          <p className={classes.summary} role="status">
            {t('summary', { errors: result.errors, warnings: result.warnings, routes: result.routes })}
            {isIdle && result.status !== 'complete' && !result.request.onlyTests && ` ${t(`ended.${result.status}`)}`}
            {wordEngine(words, result).map((sentence) => ` ${toVisible(sentence)}`)}
          </p>
        )}
      </div>
      {Part === null && <TestsPart result={result} />}
      {Part !== null && result && <Part result={result} />}
      {Part !== null && !result && isIdle && (
        <Message icon={<IconRoute size={22} stroke={1.5} />} text={t('empty')} hint={t('emptyHint')} />
      )}
      {Part !== null && !result && !isIdle && <Message text={t('listedLater')} />}
    </>
  );
}

/** Whole percent; 100 only for all lines. */
function percentOf({ lines, played }: { lines: number; played: number }): number {
  return Math.floor((played / lines) * 100);
}

const TYPES = { json: 'application/json', junit: 'application/xml' } as const;
const NAMES = { json: 'playtest.json', junit: 'playtest-junit.xml' } as const;

function ExportMenu() {
  const { t } = useTranslation('playtest');
  const save = async (format: keyof typeof TYPES) => {
    try {
      const { text } = await api.call('playtest.export', { format });
      saveFile(new Blob([text], { type: TYPES[format] }), NAMES[format]);
    } catch (failure) {
      notifyError(failure);
    }
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} stroke={1.6} />}>
          {t('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(['json', 'junit'] as const).map((format) => (
          <Menu.Item key={format} onClick={() => void save(format)}>
            {t(`format.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
