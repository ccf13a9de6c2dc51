import { Tooltip, UnstyledButton } from '@mantine/core';
import {
  type Icon,
  IconChecklist,
  IconHistory,
  IconListDetails,
  IconPencil,
  IconPhoto,
  IconSettings,
  IconSitemap,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { showView, useNavigation, VIEWS, type View } from '../state/navigation.ts';
import { useProposal } from '../state/review/review-store.ts';
import classes from './rail.module.css';

const ICONS: Record<View, Icon> = {
  write: IconPencil,
  review: IconChecklist,
  project: IconPhoto,
  history: IconHistory,
  settings: IconSettings,
  story: IconSitemap,
  record: IconListDetails,
};

/** Order of the buttons, starting with the text. */
const ORDER: readonly View[] = ['write', 'review', 'story', 'project', 'history', 'record', 'settings'];

/** The narrow column of buttons that switch the view in the middle. */
export function Rail() {
  const { t } = useTranslation('shell');
  const current = useNavigation((state) => state.view);
  const hasReview = useProposal()?.state === 'review';
  return (
    <nav className={classes.root} id="region-rail" data-region tabIndex={-1} aria-label={t('regions.rail')}>
      {ORDER.map((view) => {
        const key = VIEWS.indexOf(view) + 1;
        const ViewIcon = ICONS[view];
        const isMarked = view === 'review' && hasReview;
        const label = isMarked ? `${t('view.review')} · ${t('reviewWaits')}` : t(`view.${view}`);
        return (
          <Tooltip key={view} label={`${label}  Ctrl ${key}`} position="right">
            <UnstyledButton
              className={classes.item}
              aria-label={label}
              aria-current={view === current ? 'page' : undefined}
              aria-keyshortcuts={`Control+${key}`}
              data-view={view}
              onClick={() => showView(view)}
            >
              <ViewIcon size={20} stroke={1.6} aria-hidden />
              {isMarked && <span className={classes.dot} aria-hidden />}
            </UnstyledButton>
          </Tooltip>
        );
      })}
    </nav>
  );
}
