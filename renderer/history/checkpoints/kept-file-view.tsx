import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeptFile } from '../../../shared/model/checkpoint.ts';
import { api } from '../../api.ts';
import { useCheckpoints } from '../../state/history/checkpoint-store.ts';
import { Message } from '../../ui/message.tsx';
import { describeError } from '../../ui/text/describe-error.ts';
import classes from './checkpoints.module.css';
import { KeptText } from './kept-text.tsx';

interface Sides {
  before: KeptFile;
  after: KeptFile;
}

/** A file in both states: texts as a comparison, pictures side by side. Left is the checkpoint. */
export function KeptFileView({ path }: { path: string }) {
  const { t } = useTranslation('history');
  const selected = useCheckpoints((state) => state.selected);
  const other = useCheckpoints((state) => state.other);
  const comparison = useCheckpoints((state) => state.comparison);
  const [sides, setSides] = useState<Sides | null>(null);
  const [error, setError] = useState<unknown>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new comparison means that the file may have changed
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const [before, after] = await Promise.all([
        api.call('checkpoints.file', { id: selected ?? '', path }),
        api.call('checkpoints.file', { id: other, path }),
      ]);
      if (!isCurrent) return;
      setSides({ before, after });
      setError(null);
    };
    read().catch((failure: unknown) => isCurrent && setError(failure));
    return () => {
      isCurrent = false;
    };
  }, [selected, other, path, comparison]);
  if (error !== null) return <Message tone="error" text={describeError(error, t)} />;
  if (!sides) return <Message text={t('common:loading')} />;
  const { before, after } = sides;
  if (isTextual(before) && isTextual(after)) {
    return (
      <KeptText
        path={path}
        before={before.kind === 'text' ? before.text : ''}
        after={after.kind === 'text' ? after.text : ''}
      />
    );
  }
  return (
    <div className={classes.pictures}>
      <Side file={before} label={t('states.then')} />
      <Side file={after} label={t(other === null ? 'now' : 'states.otherSide')} />
    </div>
  );
}

function Side({ file, label }: { file: KeptFile; label: string }) {
  const { t } = useTranslation('history');
  return (
    <figure className={classes.side}>
      {file.kind === 'picture' ? (
        <img src={`data:${file.type};base64,${file.data}`} alt={label} />
      ) : (
        <p>{t(`states.shown.${file.kind}`)}</p>
      )}
      <figcaption>{label}</figcaption>
    </figure>
  );
}

function isTextual(file: KeptFile): boolean {
  return file.kind === 'text' || file.kind === 'none';
}
