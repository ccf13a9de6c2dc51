import { Button, Popover, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { showPiece } from '../../state/review/review-reducer.ts';
import { changeReview, useReview } from '../../state/review/review-store.ts';
import { type StepGroups, type StepRow, toStepRows } from '../../state/review/step-groups.ts';
import { VirtualList } from '../../ui/list/virtual-list.tsx';
import { fileName } from '../../ui/text/file-name.ts';
import { StepCount, StepHeading, StepTick } from './step-heading.tsx';
import classes from './step-menu.module.css';
import { useGroupName } from './use-step-groups.ts';

const ROW_HEIGHT_PX = 32;

/** A popover with all steps of the plan and the files that they changed. */
export function StepMenu({ groups }: Pick<StepGroups, 'groups'>) {
  const { t } = useTranslation('review');
  const count = new Set(groups.flatMap(({ steps }) => steps)).size;
  return (
    <Popover position="bottom-start" width={420} trapFocus>
      <Popover.Target>
        <Button
          className={classes.button ?? ''}
          variant="subtle"
          color="gray"
          size="compact-sm"
          title={t('steps.menuHint')}
          rightSection={<IconChevronDown size={13} aria-hidden />}
        >
          {t('steps.menu', { count })}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={4}>
        <StepList groups={groups} />
      </Popover.Dropdown>
    </Popover>
  );
}

function StepList({ groups }: Pick<StepGroups, 'groups'>) {
  const { t } = useTranslation('review');
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => toStepRows(groups), [groups]);
  return (
    <div ref={scroller} className={classes.scroll}>
      <div>
        <VirtualList
          items={rows}
          label={t('steps.list')}
          className={classes.list}
          scroller={scroller}
          rowHeight={ROW_HEIGHT_PX}
        >
          {(row) =>
            row.path === null ? (
              <div key={row.key} className={classes.group}>
                <StepHeading group={row.group} />
              </div>
            ) : (
              <FileRow key={row.key} row={row} path={row.path} />
            )
          }
        </VirtualList>
      </div>
    </div>
  );
}

function FileRow({ row, path }: { row: StepRow; path: string }) {
  const toName = useGroupName();
  const [first] = row.pieces;
  const isShown = useReview((state) => state.path === path && row.pieces.some((piece) => piece.hunk === state.hunk));
  return (
    <div className={classes.file} data-shown={isShown || undefined}>
      <StepTick pieces={row.pieces} name={toName(row.group)} path={fileName(path)} />
      <UnstyledButton
        className={classes.open}
        title={toVisible(path)}
        aria-current={isShown || undefined}
        onClick={() => first && changeReview((state) => showPiece(state, first))}
      >
        <bdi className={classes.name}>{fileName(path)}</bdi>
      </UnstyledButton>
      <StepCount pieces={row.pieces} />
    </div>
  );
}
