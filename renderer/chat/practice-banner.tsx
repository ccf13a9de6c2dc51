import { IconSchool } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './practice-banner.module.css';

/** Says, for as long as it lasts, that nobody thinks behind these words. */
export function PracticeBanner() {
  const { t } = useTranslation('chat');
  return (
    <p className={classes.root} role="note">
      <IconSchool size={16} aria-hidden />
      <span>{t('practice.text')}</span>
    </p>
  );
}
