import { IconArchive } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { loadCheckpoints, useCheckpoints } from '../../state/history/checkpoint-store.ts';
import { VirtualList } from '../../ui/list/virtual-list.tsx';
import { Message } from '../../ui/message.tsx';
import { describeError } from '../../ui/text/describe-error.ts';
import shared from '../history-view.module.css';
import { CheckpointRow } from './checkpoint-row.tsx';
import classes from './checkpoints.module.css';
import { ComparisonPane } from './comparison-pane.tsx';
import { KeepForm } from './keep-form.tsx';

/** Checkpoints of the whole game: the list, and what restoring the selected one would change. */
export function CheckpointsPane() {
  const { t } = useTranslation('history');
  const scroller = useRef<HTMLDivElement>(null);
  const checkpoints = useCheckpoints((state) => state.checkpoints);
  const selected = useCheckpoints((state) => state.selected);
  const damaged = useCheckpoints((state) => state.damaged);
  const error = useCheckpoints((state) => state.error);
  useEffect(() => void loadCheckpoints(), []);
  if (error !== null) return <Message tone="error" text={describeError(error, t)} />;
  if (!checkpoints) return <Message text={t('common:loading')} />;
  return (
    <div className={shared.root}>
      <div className={shared.split}>
        <div className={classes.left}>
          <KeepForm />
          {damaged > 0 && (
            <p className={classes.warning} role="status">
              {t('states.damaged', { count: damaged })}
            </p>
          )}
          <div className={classes.scroll} ref={scroller}>
            {checkpoints.length === 0 ? (
              <Message
                icon={<IconArchive size={22} stroke={1.5} />}
                text={t('states.empty')}
                hint={t('states.emptyHint')}
              />
            ) : (
              <VirtualList
                items={checkpoints}
                label={t('states.list')}
                className={shared.list}
                scroller={scroller}
                toText={({ name }) => name}
                current={checkpoints.findIndex(({ id }) => id === selected)}
              >
                {(checkpoint, tabIndex) => (
                  <CheckpointRow key={checkpoint.id} checkpoint={checkpoint} tabIndex={tabIndex} />
                )}
              </VirtualList>
            )}
          </div>
        </div>
        <ComparisonPane />
      </div>
    </div>
  );
}
