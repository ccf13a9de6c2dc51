import { Button, FileButton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { AssetType } from '../../../shared/model/asset/asset.ts';
import { useBusy } from '../../ui/hooks/use-busy.ts';
import { addAssets } from './add-assets.ts';

/** A button that adds pictures and sounds from the user's computer; `shown`: the kind of the list that is shown. */
export function AddAssetsButton({ shown }: { shown: string }) {
  const { t } = useTranslation('project');
  const [isBusy, run] = useBusy();
  // Without this, choosing the same files again would do nothing.
  const reset = useRef<() => void>(null);
  return (
    <FileButton
      multiple
      accept={AssetType.options.join(',')}
      resetRef={reset}
      onChange={(files) => {
        run(() => addAssets(files, shown));
        reset.current?.();
      }}
    >
      {(props) => (
        <Button
          {...props}
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          title={t('add.hint')}
          loading={isBusy}
        >
          {t('add.open')}
        </Button>
      )}
    </FileButton>
  );
}
