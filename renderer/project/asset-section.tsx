import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProjectFile } from '../../shared/model/project.ts';
import { AssetThumb } from './asset-thumb.tsx';
import { copyName } from './copy-name.ts';
import { type AssetKind, isText, toShortName } from './file-kinds.ts';
import classes from './project-tree.module.css';
import { showFile } from './show-file.ts';

/** A list longer than this is shortened; the search finds the rest. */
const MOST_ROWS = 300;

interface AssetSectionProps {
  kind: AssetKind;
  files: ProjectFile[];
  /** A search opens every section, for what was found should be seen. */
  isSearched: boolean;
}

/** One kind of assets, folded until she needs it. A text opens in the editor; of anything else the name is copied. */
export function AssetSection({ kind, files, isSearched }: AssetSectionProps) {
  const { t } = useTranslation('project');
  const [isUnfolded, setUnfolded] = useState(false);
  const list = useId();
  const isOpen = isUnfolded || isSearched;
  return (
    <section aria-label={t(`kind.${kind}`)}>
      <UnstyledButton
        className={classes.heading}
        aria-expanded={isOpen}
        aria-controls={isOpen ? list : undefined}
        onClick={() => setUnfolded(!isUnfolded)}
      >
        <IconChevronRight size={14} className={classes.chevron} aria-hidden />
        {t(`kind.${kind}`)}
        <span className={classes.note}>{files.length}</span>
      </UnstyledButton>
      {isOpen && (
        <ul className={classes.list} id={list}>
          {files.slice(0, MOST_ROWS).map((file) => (
            <li key={file.path} className={classes.lazy}>
              <UnstyledButton
                className={classes.row}
                title={isText(file.path) ? undefined : t('copyName')}
                onClick={() => (isText(file.path) ? showFile(file.path) : void copyName(toShortName(file)))}
              >
                <AssetThumb file={file} size={26} />
                <span className={classes.name}>{toShortName(file)}</span>
              </UnstyledButton>
            </li>
          ))}
          {files.length > MOST_ROWS && (
            <li className={classes.more}>{t('more', { count: files.length - MOST_ROWS })}</li>
          )}
        </ul>
      )}
    </section>
  );
}
