import { Button, NativeSelect, Popover, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Asset, isPictureType, toAssetExtension } from '../../../../shared/model/asset/asset.ts';
import {
  ASSET_FOLDERS,
  type AssetFolder,
  toAssetFolders,
  withAssetExtension,
} from '../../../../shared/model/asset/asset-place.ts';
import { api } from '../../../api.ts';
import { showView } from '../../../state/navigation.ts';
import { readAsset } from '../../../state/project/read-asset.ts';
import { AssetFrame } from '../../../ui/asset-frame.tsx';
import { useBusy } from '../../../ui/hooks/use-busy.ts';
import { describeError } from '../../../ui/text/describe-error.ts';
import classes from './tool-assets.module.css';

/** The pictures and sounds that a call returned, each with a way into the game. */
export function ToolAssets({ assets }: { assets: readonly Asset[] }) {
  const { t } = useTranslation('chat');
  return (
    <ul className={classes.list} aria-label={t('assets.list', { count: assets.length })}>
      {assets.map((asset, index) => (
        <li key={asset.id} className={classes.item}>
          <AssetFrame
            asset={asset}
            label={t(isPictureType(asset.type) ? 'assets.picture' : 'assets.sound', { number: index + 1 })}
            read={readAsset}
          />
          <PutIntoGame asset={asset} />
        </li>
      ))}
    </ul>
  );
}

/** Asks for a folder and a name, and submits the file for review. */
function PutIntoGame({ asset }: { asset: Asset }) {
  const { t } = useTranslation('chat');
  const folders = toAssetFolders(asset.type);
  const [isOpen, setOpen] = useState(false);
  const [folder, setFolder] = useState<AssetFolder>(folders[0] ?? 'figure');
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, run] = useBusy();
  const propose = () =>
    run(async () => {
      const path = ASSET_FOLDERS[folder] + withAssetExtension(name.trim(), asset.type);
      try {
        await api.call('assets.propose', { title: t('assets.title', { path }), files: [{ id: asset.id, path }] });
        setOpen(false);
        showView('review');
      } catch (error) {
        setProblem(describeError(error, t));
      }
    });
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={280} trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="compact-sm"
          aria-expanded={isOpen}
          onClick={() => {
            setProblem(null);
            setOpen(!isOpen);
          }}
        >
          {t('assets.put')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() !== '') propose();
          }}
        >
          <NativeSelect
            label={t('assets.folder')}
            value={folder}
            onChange={({ currentTarget }) => setFolder(currentTarget.value as AssetFolder)}
            data={folders.map((value) => ({ value, label: t(`assets.folders.${value}`) }))}
          />
          <TextInput
            label={t('assets.name')}
            description={t('assets.nameHint', { extension: toAssetExtension(asset.type) })}
            value={name}
            error={problem}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Button type="submit" size="compact-sm" loading={isBusy} disabled={name.trim() === ''}>
            {t('assets.propose')}
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
