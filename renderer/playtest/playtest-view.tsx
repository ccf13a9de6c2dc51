import { Button, Menu, SegmentedControl } from '@mantine/core';
import { IconDownload, IconRoute } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlaytestResult } from '../../shared/model/playtest/playtest-state.ts';
import { api } from '../api.ts';
import { notifyError } from '../state/notify.ts';
import { usePlaytest } from '../state/playtest/playtest-store.ts';
import { Message } from '../ui/message.tsx';
import { PaneHeader } from '../ui/pane-header.tsx';
import { saveFile } from '../ui/save-file.ts';
import { describeError } from '../ui/text/describe-error.ts';
import { CoveragePart } from './coverage-part.tsx';
import { FindingsPart } from './findings-part.tsx';
import classes from './playtest-view.module.css';
import { ReachedPart } from './reached-part.tsx';
import { RunBar } from './run-bar.tsx';
import { TestsPart } from './tests-part.tsx';

const PARTS = {
  findings: FindingsPart,
  reached: ReachedPart,
  coverage: CoveragePart,
  tests: TestsPart,
} as const;
type PartName = keyof typeof PARTS;
const PART_NAMES = Object.keys(PARTS) as PartName[];

/** Plays the story's routes without a window, and lists what players would run into. */
export function PlaytestView() {
  const { t, i18n } = useTranslation('playtest');
  const result = usePlaytest((state) => state.result);
  const error = usePlaytest((state) => state.run?.error ?? null);
  const isIdle = usePlaytest((state) => (state.run?.status ?? 'idle') === 'idle');
  const note = result
    ? t('asOf', { time: new Date(result.at).toLocaleString(i18n.language, { dateStyle: 'short', timeStyle: 'short' }) })
    : t('note');
  return (
    <>
      <PaneHeader title={t('title')} note={note}>
        {result && <ExportMenu />}
      </PaneHeader>
      <RunBar />
      {error !== null && <Message tone="error" text={describeError(error, t)} />}
      {result && <Result result={result} />}
      {!result && isIdle && error === null && (
        <Message icon={<IconRoute size={22} stroke={1.5} />} text={t('empty')} hint={t('emptyHint')} />
      )}
    </>
  );
}

function Result({ result }: { result: PlaytestResult }) {
  const { t } = useTranslation('playtest');
  const [name, setName] = useState<PartName>(result.request.onlyTests ? 'tests' : 'findings');
  const Part = PARTS[name];
  const counts: Record<PartName, number> = {
    findings: result.errors + result.warnings,
    reached: result.endings.length,
    coverage: result.coverage.lines === 0 ? 0 : percentOf(result.coverage),
    tests: result.tests.length,
  };
  return (
    <>
      <div className={classes.parts}>
        <SegmentedControl
          size="xs"
          aria-label={t('parts')}
          value={name}
          onChange={setName}
          data={PART_NAMES.map((value) => ({ value, label: t(`part.${value}`, { count: counts[value] }) }))}
        />
        <p className={classes.summary} role="status">
          {t('summary', { errors: result.errors, warnings: result.warnings, routes: result.routes })}
          {result.status !== 'complete' && !result.request.onlyTests && ` ${t(`ended.${result.status}`)}`}
        </p>
      </div>
      <Part result={result} />
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
