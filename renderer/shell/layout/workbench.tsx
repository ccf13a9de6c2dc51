import { useTranslation } from 'react-i18next';
import type { Project } from '../../../shared/model/project.ts';
import { DrivingSign } from '../bars/driving-sign.tsx';
import { StatusBar } from '../bars/status-bar.tsx';
import { TitleBar } from '../bars/title-bar.tsx';
import { Rail } from '../rail.tsx';
import { useKeys } from '../use-keys.ts';
import { Panes } from './panes.tsx';
import classes from './workbench.module.css';

interface WorkbenchProps {
  project: Project;
}

/** The window with a game open: title bar, rail, panes and status bar. */
export function Workbench({ project }: WorkbenchProps) {
  const { t } = useTranslation('shell');
  useKeys();
  return (
    <div className={classes.root}>
      <a className={classes.skip} href="#region-middle">
        {t('skip')}
      </a>
      <TitleBar project={project} />
      <Rail />
      <main className={classes.main}>
        <Panes />
      </main>
      <StatusBar />
      <DrivingSign />
    </div>
  );
}
