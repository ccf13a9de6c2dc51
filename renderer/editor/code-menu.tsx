import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { IconDots, IconListTree } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './code-menu.module.css';
import { runInCode } from './shown-code.ts';

/** Keys by name of what they do; `null` parts the menu. The keys themselves are the editor's. */
const ITEMS = [
  { name: 'definition', action: 'editor.action.revealDefinition', keys: 'F12' },
  { name: 'references', action: 'editor.action.goToReferences', keys: 'Shift+F12' },
  { name: 'rename', action: 'editor.action.rename', keys: 'F2' },
  null,
  { name: 'fix', action: 'editor.action.quickFix', keys: 'Ctrl+.' },
  { name: 'next', action: 'editor.action.marker.next', keys: 'Alt+F8' },
  { name: 'format', action: 'editor.action.formatDocument', keys: 'Shift+Alt+F' },
  null,
  { name: 'suggest', action: 'editor.action.triggerSuggest', keys: 'Ctrl+Space' },
  { name: 'find', action: 'actions.find', keys: 'Ctrl+F' },
  { name: 'all', action: 'editor.action.quickCommand', keys: 'F1' },
] as const;
const OUTLINE = { action: 'editor.action.quickOutline', keys: 'Ctrl+Shift+O' };

/** What can be done with the open scene, each with its key, so that she finds it once and knows it then. */
export function CodeMenu() {
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
          {ITEMS.map((item, at) =>
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
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
