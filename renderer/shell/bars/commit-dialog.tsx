import { Button, Checkbox, Modal, Textarea } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GitChanges, GitFile } from '../../../shared/model/git/git.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { api } from '../../api.ts';
import { flushSaves } from '../../state/documents/editor-store.ts';
import { notify } from '../../state/notify.ts';
import { useFocusBack } from '../../ui/focus/use-focus-back.ts';
import { useBusy } from '../../ui/hooks/use-busy.ts';
import { VirtualList } from '../../ui/list/virtual-list.tsx';
import { Message } from '../../ui/message.tsx';
import { describeError } from '../../ui/text/describe-error.ts';
import classes from './commit-dialog.module.css';

/** Commits the ticked files with a message that is proposed from the titles of the accepted changes. */
export function CommitDialog({ branch, onClose }: { branch: string; onClose: () => void }) {
  useFocusBack();
  const { t } = useTranslation('shell');
  const [changes, setChanges] = useState<GitChanges | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    let isGone = false;
    // What was typed last belongs to the changes.
    const read = async () => {
      await flushSaves();
      return api.call('git.changes', {});
    };
    read().then(
      (found) => isGone || setChanges(found),
      (failure: unknown) => isGone || setError(failure),
    );
    return () => {
      isGone = true;
    };
  }, []);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('git.title')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      {error !== null && <Message tone="error" text={describeError(error, t)} />}
      {error === null && !changes && <Message text={t('common:loading')} />}
      {changes?.blocked && <Message tone="error" text={t(`errors:git.${changes.blocked}`)} />}
      {changes && !changes.blocked && changes.total === 0 && <Message text={t('git.empty')} />}
      {changes && !changes.blocked && changes.total > 0 && (
        <CommitForm branch={branch} changes={changes} onClose={onClose} />
      )}
    </Modal>
  );
}

function CommitForm({ branch, changes, onClose }: { branch: string; changes: GitChanges; onClose: () => void }) {
  const { t } = useTranslation('shell');
  const { files, total } = changes;
  const [message, setMessage] = useState(() => toMessage(changes.titles, t));
  const [ticked, setTicked] = useState<ReadonlySet<string>>(() => toTicked(files));
  const [error, setError] = useState<unknown>(null);
  const [isBusy, run] = useBusy();
  const count = ticked.size;
  const commit = async () => {
    setError(null);
    try {
      await api.call('git.commit', { paths: [...ticked], message });
      notify({ level: 'success', text: t('git.done', { count }) });
      onClose();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <div className={classes.body}>
      <Textarea
        label={t('git.message')}
        description={t('git.branch', { branch })}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={20_000}
        data-autofocus
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
      <Checkbox
        label={t('git.all')}
        checked={count === files.length}
        indeterminate={count > 0 && count < files.length}
        onChange={(event) => setTicked(new Set(event.currentTarget.checked ? files.map(({ path }) => path) : []))}
      />
      <ChangedFiles files={files} ticked={ticked} onChange={setTicked} />
      {total > files.length && <p className={classes.note}>{t('git.more', { count: total - files.length })}</p>}
      <p className={classes.note}>{t('git.note')}</p>
      {error !== null && <Message tone="error" text={describeError(error, t)} />}
      <div className={classes.foot}>
        <Button variant="default" onClick={onClose}>
          {t('common:cancel')}
        </Button>
        <Button disabled={count === 0 || message.trim() === ''} loading={isBusy} onClick={() => run(commit)}>
          {t('git.commit', { count })}
        </Button>
      </div>
    </div>
  );
}

interface ChangedFilesProps {
  files: readonly GitFile[];
  ticked: ReadonlySet<string>;
  onChange: (ticked: ReadonlySet<string>) => void;
}

function ChangedFiles({ files, ticked, onChange }: ChangedFilesProps) {
  const { t } = useTranslation('shell');
  const scroller = useRef<HTMLDivElement>(null);
  const toggle = (path: string) => {
    const next = new Set(ticked);
    if (!next.delete(path)) next.add(path);
    onChange(next);
  };
  return (
    <div className={classes.files} ref={scroller}>
      <VirtualList items={files} label={t('git.files')} className={classes.list} scroller={scroller}>
        {({ path, change }) => (
          <div key={path} className={classes.file}>
            <Checkbox label={toVisible(path)} checked={ticked.has(path)} onChange={() => toggle(path)} />
            <span className={classes.change}>{t(`git.change.${change}`)}</span>
          </div>
        )}
      </VirtualList>
    </div>
  );
}

/** Ticks what was accepted since the last commit, or everything where nothing was. */
function toTicked(files: readonly GitFile[]): Set<string> {
  const accepted = files.filter(({ isAccepted }) => isAccepted);
  return new Set((accepted.length > 0 ? accepted : files).map(({ path }) => path));
}

/** One title is the message; several are listed under a line that counts them. */
function toMessage(titles: readonly string[], t: TFunction<'shell'>): string {
  if (titles.length <= 1) return titles[0] ?? '';
  return [t('git.proposed', { count: titles.length }), '', ...titles.map((title) => `- ${title}`)].join('\n');
}
