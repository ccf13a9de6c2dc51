import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type RefObject, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProjectFile } from '../../shared/model/project.ts';
import { type AssetKind, isText, ROW_HEIGHT, toShortName } from '../state/project/file-kinds.ts';
import { startFileDrag } from '../ui/file-drag.ts';
import { VirtualList } from '../ui/list/virtual-list.tsx';
import { showFile } from '../workflows/show-file.ts';
import { AssetThumb } from './asset-thumb.tsx';
import { copyName } from './copy-name.ts';
import classes from './project-tree.module.css';

interface AssetSectionProps {
  kind: AssetKind;
  files: readonly ProjectFile[];
  /** True during a search, which opens every section to show the matches. */
  isSearched: boolean;
  /** The scrolling ancestor. */
  scroller: RefObject<HTMLElement | null>;
}

/** A collapsible section of one kind of assets. Clicking a text opens it in the editor; for others it copies the name. */
export function AssetSection({ kind, files, isSearched, scroller }: AssetSectionProps) {
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
        <div id={list}>
          <VirtualList
            items={files}
            className={classes.list}
            scroller={scroller}
            rowHeight={ROW_HEIGHT}
            toText={toShortName}
          >
            {(file, tabIndex) => (
              <UnstyledButton
                key={file.path}
                className={classes.row}
                tabIndex={tabIndex}
                draggable
                onDragStart={(event) => startFileDrag(event, file.path)}
                title={isText(file.path) ? undefined : t('copyName')}
                onClick={() => (isText(file.path) ? showFile(file.path) : void copyName(toShortName(file)))}
              >
                <AssetThumb file={file} size={26} />
                <span className={classes.name}>{toShortName(file)}</span>
              </UnstyledButton>
            )}
          </VirtualList>
        </div>
      )}
    </section>
  );
}
