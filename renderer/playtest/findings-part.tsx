import { Button, UnstyledButton } from '@mantine/core';
import { IconAlertTriangleFilled, IconCircleXFilled } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlaytestResult } from '../../shared/model/playtest/playtest-state.ts';
import type { PlaytestFinding } from '../../shared/model/playtest/report.ts';
import { wordFinding, wordPlace, wordRoute } from '../../shared/model/playtest/word-report.ts';
import { toVisible } from '../../shared/text/shown-text.ts';
import { VirtualList } from '../ui/list/virtual-list.tsx';
import { Message } from '../ui/message.tsx';
import { splitLine } from '../workflows/stage/split-line.ts';
import classes from './playtest-view.module.css';
import { showPlace } from './show-place.ts';
import { usePlaytestWords } from './use-playtest-words.ts';

const ICONS = { error: IconCircleXFilled, warning: IconAlertTriangleFilled } as const;

/** What players would run into, errors first; each row opens its line. */
export function FindingsPart({ result }: { result: PlaytestResult }) {
  const { t } = useTranslation('playtest');
  const scroller = useRef<HTMLDivElement>(null);
  const { findings, errors, warnings } = result;
  if (findings.length === 0) return <Message text={t(result.request.onlyTests ? 'notPlayed' : 'noFindings')} />;
  const left = errors + warnings - findings.length;
  return (
    <div className={classes.scroll} ref={scroller}>
      <VirtualList items={findings} label={t('findings')} className={classes.list} scroller={scroller}>
        {(finding) => (
          <FindingRow
            key={`${finding.code} ${finding.place.path}:${finding.place.line} ${finding.subject}`}
            finding={finding}
            result={result}
          />
        )}
      </VirtualList>
      {left > 0 && <p className={classes.more}>{t('more', { count: left })}</p>}
    </div>
  );
}

function FindingRow({ finding, result }: { finding: PlaytestFinding; result: PlaytestResult }) {
  const { t } = useTranslation('playtest');
  const translate = usePlaytestWords();
  const { severity, place, route } = finding;
  const Icon = ICONS[severity];
  const way = route && toVisible(wordRoute(translate, route));
  return (
    <div className={classes.row}>
      <Icon size={14} className={classes.icon} data-severity={severity} role="img" aria-label={t(severity)} />
      <UnstyledButton className={classes.open} onClick={() => showPlace(place, result)}>
        <span className={classes.place}>{toVisible(wordPlace(place))}</span>{' '}
        {toVisible(wordFinding(translate, finding))}
        {way !== null && (
          <span className={classes.route} title={way}>
            {way}
          </span>
        )}
      </UnstyledButton>
      {finding.code === 'text-overflow' && result.request.source !== 'proposed' && (
        <Button size="compact-xs" variant="subtle" onClick={() => void splitLine(finding)}>
          {t('split')}
        </Button>
      )}
    </div>
  );
}
