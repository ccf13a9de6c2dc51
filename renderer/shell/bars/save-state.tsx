import { IconAlertTriangle, IconCheck, IconCircleFilled, IconLoader2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { DocumentStatus } from '../../state/documents/document.ts';
import { useEditor } from '../../state/documents/editor-store.ts';
import classes from './title-bar.module.css';

const STATES = {
  failed: { tone: 'error', Icon: IconAlertTriangle },
  conflict: { tone: 'warn', Icon: IconAlertTriangle },
  gone: { tone: 'warn', Icon: IconAlertTriangle },
  dirty: { tone: 'quiet', Icon: IconCircleFilled },
  saving: { tone: 'quiet', Icon: IconLoader2 },
  saved: { tone: 'good', Icon: IconCheck },
} as const;

/** Returns the most urgent of the open files' states. */
function toSaveState(statuses: readonly DocumentStatus[]): keyof typeof STATES {
  if (statuses.includes('failed')) return 'failed';
  if (statuses.includes('conflict')) return 'conflict';
  if (statuses.includes('gone')) return 'gone';
  if (statuses.includes('saving')) return 'saving';
  return statuses.includes('dirty') ? 'dirty' : 'saved';
}

/** Shows whether all text is saved. */
export function SaveState() {
  const { t } = useTranslation('shell');
  const state = useEditor(({ files }) => toSaveState(files.map((file) => file.state.status)));
  const { tone, Icon } = STATES[state];
  return (
    <span className={classes.save} data-tone={tone} data-save={state} role="status">
      <Icon size={state === 'dirty' ? 8 : 15} stroke={2} aria-hidden />
      {t(`save.${state}`)}
    </span>
  );
}
