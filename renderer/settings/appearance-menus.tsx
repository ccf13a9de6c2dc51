import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconLanguage, IconMoon, IconSun } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { LANGUAGES } from '../../shared/i18n/languages.ts';
import { LOCALES } from '../../shared/model/local-text.ts';
import type { Settings } from '../../shared/model/settings.ts';
import { updateSettings, useSettings } from '../state/settings-store.ts';

const THEMES: [Settings['theme'], typeof IconSun][] = [
  ['light', IconSun],
  ['dark', IconMoon],
  ['auto', IconDeviceDesktop],
];

const tick = (isOn: boolean) => (isOn ? <IconCheck size={14} aria-hidden /> : null);

/** Menus for language and theme, available in every view. */
export function AppearanceMenus() {
  const { t } = useTranslation('shell');
  const theme = useSettings((state) => state.settings.theme);
  const locale = useSettings((state) => state.settings.locale);
  const ThemeIcon = THEMES.find(([id]) => id === theme)?.[1] ?? IconSun;
  return (
    <>
      <Menu position="bottom-end">
        <Tooltip label={t('language')}>
          <Menu.Target>
            <ActionIcon aria-label={t('language')}>
              <IconLanguage size={18} stroke={1.6} />
            </ActionIcon>
          </Menu.Target>
        </Tooltip>
        <Menu.Dropdown>
          {LOCALES.map((id) => (
            <Menu.Item
              key={id}
              lang={id}
              rightSection={tick(locale === id)}
              onClick={() => void updateSettings({ locale: id })}
            >
              {LANGUAGES[id].name}
            </Menu.Item>
          ))}
          <Menu.Item rightSection={tick(locale === null)} onClick={() => void updateSettings({ locale: null })}>
            {t('systemLanguage')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Menu position="bottom-end">
        <Tooltip label={t('theme.label')}>
          <Menu.Target>
            <ActionIcon aria-label={t('theme.label')}>
              <ThemeIcon size={18} stroke={1.6} />
            </ActionIcon>
          </Menu.Target>
        </Tooltip>
        <Menu.Dropdown>
          {THEMES.map(([id, Icon]) => (
            <Menu.Item
              key={id}
              leftSection={<Icon size={16} stroke={1.6} />}
              rightSection={tick(theme === id)}
              onClick={() => void updateSettings({ theme: id })}
            >
              {t(`theme.${id}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
