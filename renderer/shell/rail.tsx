import { Tooltip, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { showView, useNavigation, VIEWS } from '../state/navigation.ts';
import type { ViewDeclaration } from '../state/view-declaration.ts';
import classes from './rail.module.css';
import { VIEW_DECLARATIONS } from './views.ts';

/** The narrow column of buttons that switch the view in the middle. */
export function Rail() {
  const { t } = useTranslation('shell');
  return (
    <nav className={classes.root} id="region-rail" data-region tabIndex={-1} aria-label={t('regions.rail')}>
      {Object.values(VIEW_DECLARATIONS).map((view) => (
        <RailButton key={view.id} view={view} />
      ))}
    </nav>
  );
}

const useNothing = () => null;

function RailButton({ view }: { view: ViewDeclaration }) {
  const { t } = useTranslation('shell');
  const { id, icon: ViewIcon, title, useNote = useNothing } = view;
  const isCurrent = useNavigation((state) => state.view === id);
  const note = useNote();
  const key = VIEWS.indexOf(id) + 1;
  const label = note === null ? t(title) : `${t(title)} · ${t(note)}`;
  return (
    <Tooltip label={`${label}  Ctrl ${key}`} position="right">
      <UnstyledButton
        className={classes.item}
        aria-label={label}
        aria-current={isCurrent ? 'page' : undefined}
        aria-keyshortcuts={`Control+${key}`}
        data-view={id}
        onClick={() => showView(id)}
      >
        <ViewIcon size={20} stroke={1.6} aria-hidden />
        {note !== null && <span className={classes.dot} aria-hidden />}
      </UnstyledButton>
    </Tooltip>
  );
}
