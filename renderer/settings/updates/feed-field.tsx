import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isFeedAddress } from '../../../shared/model/updates.ts';
import { updateSettings, useSettings } from '../../state/settings-store.ts';
import { SettingRow } from '../section.tsx';

/** The update feed's address. Empty means the release page; saved with Enter or on blur. */
export function FeedField() {
  const { t } = useTranslation('settings');
  const kept = useSettings(({ settings }) => settings.updateFeed);
  const [draft, setDraft] = useState<string | null>(null);
  const address = (draft ?? kept ?? '').trim();
  const isWrong = address !== '' && !isFeedAddress(address);

  const keep = () => {
    if (draft === null || isWrong) return;
    setDraft(null);
    const updateFeed = address === '' ? null : address;
    if (updateFeed !== kept) void updateSettings({ updateFeed });
  };

  return (
    <SettingRow label={t('updates.feed')} hint={t('updates.feedHint')}>
      <TextInput
        w={280}
        aria-label={t('updates.feed')}
        placeholder={t('updates.feedDefault')}
        value={draft ?? kept ?? ''}
        error={isWrong && t('updates.feedWrong')}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onBlur={keep}
        onKeyDown={(event) => event.key === 'Enter' && keep()}
      />
    </SettingRow>
  );
}
