import { NumberInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EDITOR_FONT_SIZE } from '../../shared/model/settings.ts';
import { EDIT_SESSION_MINUTES, SNAPSHOTS_PER_FILE } from '../../shared/model/snapshot.ts';
import { updateSettings, useSettings } from '../state/settings-store.ts';
import { Section, SettingRow } from './section.tsx';
import classes from './settings-view.module.css';
import { SwitchRow } from './switch-row.tsx';

const { min: SMALLEST, max: LARGEST } = EDITOR_FONT_SIZE;

export function EditorSettings() {
  const { t } = useTranslation('settings');
  const fontSize = useSettings((state) => state.settings.editorFontSize);
  return (
    <Section title={t('editor.title')}>
      <div className={classes.card}>
        <SettingRow label={t('editor.fontSize')}>
          <NumberInput
            w={88}
            aria-label={t('editor.fontSize')}
            value={fontSize}
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
        <SwitchRow setting="wordWrap" label={t('editor.wrap')} />
        <SwitchRow
          setting="autosave"
          label={t('editor.autosave')}
          hint={t('editor.autosaveHint', { minutes: EDIT_SESSION_MINUTES, texts: SNAPSHOTS_PER_FILE })}
        />
        <SwitchRow setting="wordHints" label={t('editor.wordHints')} hint={t('editor.wordHintsHint')} />
        <SwitchRow setting="voiceHints" label={t('editor.voiceHints')} hint={t('editor.voiceHintsHint')} />
        <SwitchRow setting="unplayedMarks" label={t('editor.unplayedMarks')} hint={t('editor.unplayedMarksHint')} />
      </div>
    </Section>
  );
}
