import { useTranslation } from 'react-i18next';
import type { ChangedEntry } from '../../../shared/model/checkpoint.ts';
import { useCheckpoints } from '../../state/history/checkpoint-store.ts';
import classes from './checkpoints.module.css';
import { type KeptPictureRequest, useKeptPicture } from './use-kept-picture.ts';

/** A changed picture in both states, small and side by side. Left is the checkpoint. */
export function KeptThumbs({ file }: { file: ChangedEntry }) {
  const { t } = useTranslation('history');
  const selected = useCheckpoints((state) => state.selected);
  const other = useCheckpoints((state) => state.other);
  return (
    <span className={classes.thumbs}>
      <Thumb id={selected} file={file} side="before" label={t('states.then')} />
      <Thumb id={other} file={file} side="after" label={t(other === null ? 'now' : 'states.otherSide')} />
    </span>
  );
}

function Thumb({ label, ...request }: KeptPictureRequest & { label: string }) {
  const address = useKeptPicture(request);
  return (
    <span className={classes.thumb} data-none={request.file[request.side] === null || undefined}>
      {address && <img src={address} alt={label} title={label} decoding="async" />}
    </span>
  );
}
