import { UnstyledButton } from '@mantine/core';
import { IconFileText, IconPlayerPlay } from '@tabler/icons-react';
import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { ProjectFile } from '../../../shared/model/project.ts';
import { START_PATH } from '../../../shared/script/project-index/project-facts.ts';
import { toShortName } from '../../state/project/file-kinds.ts';
import { startFileDrag } from '../../ui/file-drag.ts';
import { showFile } from '../../workflows/show-file.ts';
import { deleteScene } from './change-scene.ts';
import { MenuButton, SceneMenu } from './scene-menu.tsx';
import classes from './scene-row.module.css';

interface SceneRowProps {
  scene: ProjectFile;
  isActive: boolean;
  tabIndex: 0 | -1 | undefined;
  onRename: () => void;
}

/**
 * A scene in the list: opens it; its menu shows it on the story map, renames and deletes it. The entry scene keeps its name.
 * The menu's button is no tab stop: the list is a single one, and the menu key opens the menu.
 */
export function SceneRow({ scene, isActive, tabIndex, onRename }: SceneRowProps) {
  const { t } = useTranslation('project');
  const [isMenuOpen, setMenuOpen] = useState(false);
  /** A menu takes longer to mount than the rest of the row, so it is mounted for rows that are pointed at or asked for one. */
  const [hasMenu, setHasMenu] = useState(false);
  const main = useRef<HTMLButtonElement>(null);
  const isStart = scene.path === START_PATH;
  const name = toShortName(scene);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isStart || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key === 'F2') onRename();
    else if (event.key === 'Delete') void deleteScene(scene);
    else return;
    event.preventDefault();
  };
  const openMenu = (event: MouseEvent) => {
    event.preventDefault();
    // The menu gives the focus back to what has it when it opens, not when it is mounted; the button is mounted with it again.
    if (!hasMenu) {
      main.current?.focus();
      flushSync(() => setHasMenu(true));
    }
    setMenuOpen(true);
  };
  const rename = () => {
    // The dialog gives the focus back to what has it now; the menu's entry will be gone.
    main.current?.focus();
    onRename();
  };
  const Icon = isStart ? IconPlayerPlay : IconFileText;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button at its end opens the same menu
    <div
      className={classes.row}
      data-active={isActive || undefined}
      onPointerEnter={() => setHasMenu(true)}
      onContextMenu={openMenu}
    >
      <UnstyledButton
        ref={main}
        className={classes.main}
        title={name}
        tabIndex={tabIndex}
        draggable
        onDragStart={(event) => startFileDrag(event, scene.path)}
        aria-current={isActive ? 'true' : undefined}
        aria-keyshortcuts={isStart ? undefined : 'F2 Delete'}
        onClick={() => showFile(scene.path)}
        onKeyDown={onKeyDown}
      >
        <Icon size={15} stroke={1.6} aria-hidden />
        <span className={classes.name}>{name}</span>
        {isStart && <span className={classes.note}>{t('start')}</span>}
      </UnstyledButton>
      {hasMenu ? (
        <SceneMenu scene={scene} isOpen={isMenuOpen} onChange={setMenuOpen} onRename={rename} />
      ) : (
        <MenuButton name={name} onClick={openMenu} />
      )}
    </div>
  );
}
