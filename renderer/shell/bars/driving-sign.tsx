import { Button, Kbd } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { takeOver, useViewer } from '../../state/viewer-store.ts';
import classes from './driving-sign.module.css';

/** Says that the assistant moves the window, and takes it back by a click or Esc. */
export function DrivingSign() {
  const { t } = useTranslation('shell');
  const isDriving = useViewer((state) => state.isDriving);
  useEffect(() => {
    if (!isDriving) return;
    // Not prevented: Esc also closes what is open under it.
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.isComposing) takeOver();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [isDriving]);
  return (
    <div role="status" aria-live="polite">
      {isDriving && (
        <div className={classes.sign}>
          <IconEye size={16} stroke={1.6} aria-hidden />
          <span>{t('driving.text')}</span>
          <Button size="compact-xs" variant="default" onClick={takeOver} rightSection={<Kbd>{t('driving.hint')}</Kbd>}>
            {t('driving.stop')}
          </Button>
        </div>
      )}
    </div>
  );
}
