import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconPointFilled, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { DocumentStatus } from '../state/documents/document.ts';
import { activate, closeFile, useEditor } from '../state/documents/editor-store.ts';
import { showTab, TabStrip } from '../ui/tab-strip.tsx';
import { CodeMenu } from './code-menu.tsx';
import classes from './file-tabs.module.css';

const UNSAVED: readonly DocumentStatus[] = ['dirty', 'saving', 'failed', 'conflict', 'gone'];

/** Tabs of the open files. A dot marks unsaved text. */
export function FileTabs() {
  const { t } = useTranslation('editor');
  const files = useEditor((state) => state.files);
  const active = useEditor((state) => state.active);
  return (
    <nav aria-label={t('openFiles')} className={classes.bar}>
      <TabStrip className={classes.strip}>
        <ul className={classes.list}>
          {files.map(({ path, state }) => (
            <li
              key={path}
              ref={path === active ? showTab : undefined}
              className={classes.tab}
              data-active={path === active || undefined}
            >
              <UnstyledButton
                className={classes.name}
                aria-current={path === active ? 'page' : undefined}
                title={path}
                onClick={() => activate(path)}
                onAuxClick={(event) => event.button === 1 && void closeFile(path)}
              >
                <span className={classes.label}>{tabName(path, files)}</span>
                {UNSAVED.includes(state.status) && (
                  <IconPointFilled size={12} className={classes.dirty} role="img" aria-label={t('unsaved')} />
                )}
              </UnstyledButton>
              <ActionIcon
                size="xs"
                className={classes.close}
                aria-label={t('closeFile', { name: tabName(path, files) })}
                onClick={() => void closeFile(path)}
              >
                <IconX size={12} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      </TabStrip>
      {active?.startsWith('game/scene/') && <CodeMenu />}
    </nav>
  );
}

/** Returns the file's name, with as many parent folders as needed to distinguish it from the other tabs. */
function tabName(path: string, files: readonly { path: string }[]): string {
  const parts = path.split('/');
  for (let count = 1; count < parts.length; count += 1) {
    const name = parts.slice(-count).join('/');
    if (files.filter((file) => file.path === name || file.path.endsWith(`/${name}`)).length <= 1) return name;
  }
  return path;
}
