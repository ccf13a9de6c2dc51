import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { IconDots, IconListTree } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { runInCode } from '../state/monaco/shown-code.ts';
import { setReplacing } from '../state/navigation.ts';
import { CODE_ACTIONS } from './code-actions.ts';
import classes from './code-menu.module.css';

const OUTLINE = { action: 'editor.action.quickOutline', keys: 'Ctrl+Shift+O' };

/** A menu of actions for the open scene, each shown with its key. */
export const CodeMenu = memo(function CodeMenu() {
  const { t } = useTranslation('editor');
  return (
    <div className={classes.root}>
      <Tooltip label={`${t('menu.outlineHint')}  ${OUTLINE.keys}`}>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconListTree size={15} stroke={1.7} aria-hidden />}
          aria-keyshortcuts="Control+Shift+O"
          onClick={() => runInCode(OUTLINE.action)}
        >
          {t('menu.outline')}
        </Button>
      </Tooltip>
      <Menu position="bottom-end" returnFocus={false} trapFocus>
        <Menu.Target>
          <Tooltip label={t('menu.label')}>
            <ActionIcon aria-label={t('menu.label')}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown miw={260}>
          {CODE_ACTIONS.map((item, at) =>
            item === null ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              <Menu.Divider key={at} />
            ) : (
              <Menu.Item
                key={item.name}
                rightSection={<kbd className={classes.keys}>{item.keys}</kbd>}
                onClick={() => runInCode(item.action)}
              >
                {t(`menu.${item.name}`)}
              </Menu.Item>
            ),
          )}
          <Menu.Divider />
          <Menu.Item rightSection={<kbd className={classes.keys}>Ctrl+Shift+H</kbd>} onClick={() => setReplacing(true)}>
            {t('project:replace.open')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
});
