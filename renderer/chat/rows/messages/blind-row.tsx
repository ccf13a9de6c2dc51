import { IconEyeOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from '../../chat-rows.module.css';

/** The model takes no pictures, so it goes on with words. */
export function BlindRow() {
  const { t } = useTranslation('chat');
  return (
    <div className={classes.tool}>
      <IconEyeOff size={14} aria-hidden />
      <p>{t('blind')}</p>
    </div>
  );
}
