import { Kbd, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { setShortcutsShown, useNavigation } from '../state/navigation.ts';
import { useProject } from '../state/project/project-store.ts';
import { SHORTCUTS, toShownKeys } from './shortcuts.ts';
import classes from './shortcuts-sheet.module.css';

/** A dialog with all keyboard shortcuts, opened from the host's menu. */
export function ShortcutsSheet() {
  const { t } = useTranslation(['shell', 'editor']);
  const isShown = useNavigation((state) => state.isShowingShortcuts);
  const isDesktop = useProject((state) => state.host === 'electron');
  const isMac = /^Mac/.test(navigator.platform);
  const toText = (text: string) => t(text.includes(':') ? text : `shortcuts.${text}`);
  return (
    <Modal
      opened={isShown}
      onClose={() => setShortcutsShown(false)}
      title={t('shortcuts.title')}
      size={760}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <div className={classes.groups}>
        {SHORTCUTS.map(({ group, rows }) => (
          <section key={group} className={classes.group} aria-labelledby={`shortcuts-${group}`}>
            <h3 className={classes.heading} id={`shortcuts-${group}`}>
              {t(`shortcuts.${group}`)}
            </h3>
            <dl className={classes.rows}>
              {rows
                .filter((row) => isDesktop || !row.isDesktopOnly)
                .map(({ text, keys }) => (
                  <div key={text} className={classes.row}>
                    <dt>{toText(text)}</dt>
                    <dd>
                      {keys.map((each) => (
                        <Kbd key={each}>{toShownKeys(each, isMac)}</Kbd>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
