import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWaitingCount } from '../state/approval-store.ts';
import { PaneHeader } from '../ui/pane-header.tsx';
import { ApprovalsPart } from './approvals-part.tsx';
import classes from './capabilities-view.module.css';
import { ConnectionsPart } from './connections-part.tsx';
import { ListPart } from './list-part.tsx';

const PARTS = ['requests', 'list', 'connections'] as const;
type Part = (typeof PARTS)[number];

/** What the assistant and other programs can do here: requests that wait, everything that exists, and who is connected. */
export function CapabilitiesView() {
  const { t } = useTranslation('capabilities');
  const waiting = useWaitingCount();
  const [part, setPart] = useState<Part>(waiting > 0 ? 'requests' : 'list');
  const toLabel = (each: Part) =>
    each === 'requests' && waiting > 0 ? t('part.requestsCount', { count: waiting }) : t(`part.${each}`);
  return (
    <>
      <PaneHeader title={t('title')} />
      <div className={classes.bar}>
        <SegmentedControl
          size="xs"
          aria-label={t('title')}
          data={PARTS.map((value) => ({ value, label: toLabel(value) }))}
          value={part}
          onChange={(value) => setPart(value)}
        />
      </div>
      {part === 'requests' && <ApprovalsPart />}
      {part === 'list' && <ListPart />}
      {part === 'connections' && <ConnectionsPart />}
    </>
  );
}
