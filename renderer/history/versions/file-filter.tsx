import { Select } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { HistoryGroup } from '../../../shared/model/snapshot.ts';
import { useProject } from '../../state/project/project-store.ts';
import { toShownName } from '../kept-text-pane.tsx';
import classes from './file-versions.module.css';

/** Options that are listed at once; typing finds the others. */
const MAX_OPTIONS = 200;

interface FileFilterProps {
  groups: readonly HistoryGroup[];
  /** Null: all files. */
  value: string | null;
  onChange: (path: string | null) => void;
}

/** Chooses the file whose versions are listed: scenes, and files of which a text was kept. */
export function FileFilter({ groups, value, onChange }: FileFilterProps) {
  const { t } = useTranslation('history');
  const files = useProject((state) => state.files);
  const data = useMemo(() => {
    const paths = new Set(groups.flatMap((group) => group.files.map(({ path }) => path)));
    for (const { path, kind } of files ?? []) if (kind === 'scene' || kind === 'config') paths.add(path);
    return [...paths].sort().map((path) => ({ value: path, label: toShownName(path) }));
  }, [groups, files]);
  return (
    <div className={classes.head}>
      <Select
        size="xs"
        searchable
        clearable
        limit={MAX_OPTIONS}
        aria-label={t('versions.fileFilter')}
        placeholder={t('versions.all')}
        data={data}
        value={value}
        onChange={onChange}
      />
    </div>
  );
}
