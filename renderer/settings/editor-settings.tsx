import { NumberInput, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EDIT_SESSION_MINUTES, SNAPSHOTS_PER_FILE } from '../../shared/model/snapshot.ts';
import { updateSettings, useSettings } from '../state/settings-store.ts';
import { Section, SettingRow } from './section.tsx';
import classes from './settings-view.module.css';

const SMALLEST = 10;
const LARGEST = 28;

export function EditorSettings() {
  const { t } = useTranslation('settings');
  const settings = useSettings((state) => state.settings);
  return (
    <Section title={t('editor.title')}>
      <div className={classes.card}>
        <SettingRow label={t('editor.fontSize')}>
          <NumberInput
            w={88}
            aria-label={t('editor.fontSize')}
            value={settings.editorFontSize}
            min={SMALLEST}
            max={LARGEST}
            clampBehavior="blur"
            allowDecimal={false}
            suffix=" px"
            onChange={(value) => {
              const editorFontSize = Number(value);
              if (editorFontSize >= SMALLEST && editorFontSize <= LARGEST) void updateSettings({ editorFontSize });
            }}
          />
        </SettingRow>
        <SettingRow label={t('editor.wrap')}>
          <Switch
            aria-label={t('editor.wrap')}
            checked={settings.wordWrap}
            onChange={(event) => void updateSettings({ wordWrap: event.currentTarget.checked })}
          />
        </SettingRow>
        <SettingRow
          label={t('editor.autosave')}
          hint={t('editor.autosaveHint', { minutes: EDIT_SESSION_MINUTES, texts: SNAPSHOTS_PER_FILE })}
        >
          <Switch
            aria-label={t('editor.autosave')}
            checked={settings.autosave}
            onChange={(event) => void updateSettings({ autosave: event.currentTarget.checked })}
          />
        </SettingRow>
        <SettingRow label={t('editor.wordHints')} hint={t('editor.wordHintsHint')}>
          <Switch
            aria-label={t('editor.wordHints')}
            checked={settings.wordHints}
            onChange={(event) => void updateSettings({ wordHints: event.currentTarget.checked })}
          />
        </SettingRow>
        <SettingRow label={t('editor.voiceHints')} hint={t('editor.voiceHintsHint')}>
          <Switch
            aria-label={t('editor.voiceHints')}
            checked={settings.voiceHints}
            onChange={(event) => void updateSettings({ voiceHints: event.currentTarget.checked })}
          />
        </SettingRow>
      </div>
    </Section>
  );
}
