import { ActionIcon, Tooltip } from '@mantine/core';
import { IconEye, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Mention, toMentionKey, toMentionName } from '../../../shared/model/message/mention.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { removeMention, removePicture, useAttachments } from '../../state/chat/attachment-store.ts';
import { addAssetPicture } from '../../workflows/add-pictures.ts';
import classes from './attachment-chips.module.css';
import { useFindProblem } from './attachment-problem.ts';
import { MentionIcon } from './mention-icon.tsx';
import { useCanSee } from './use-can-see.ts';

/** Names of pictures that can be sent. */
const CAN_SEND = /\.(png|jpe?g|webp|gif)$/i;

interface AttachmentChipsProps {
  /** Called when the last chip was removed by key, so that the focus has a place to go to. */
  onEmpty: () => void;
}

/** What the message refers to and shows, each with a button that removes it, and why it cannot be sent as it is. */
export function AttachmentChips({ onEmpty }: AttachmentChipsProps) {
  const { t } = useTranslation(['chat', 'errors']);
  const mentions = useAttachments((state) => state.mentions);
  const pictures = useAttachments((state) => state.pictures);
  const findProblem = useFindProblem();
  const canSee = useCanSee();
  const box = useRef<HTMLUListElement>(null);
  if (mentions.length + pictures.length === 0) return null;
  /** Removes by Backspace and Delete, and keeps the focus among the chips. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Backspace' && event.key !== 'Delete') return;
    const buttons = [...(box.current?.querySelectorAll<HTMLButtonElement>('button[data-remove]') ?? [])];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    if (at < 0) return;
    event.preventDefault();
    const next = buttons[at + 1] ?? buttons[at - 1];
    if (next) next.focus();
    else onEmpty();
    buttons[at]?.click();
  };
  const problem = mentions.map(findProblem).find((one) => one !== null);
  return (
    <>
      <ul ref={box} className={classes.list} aria-label={t('composer.attach.label')} onKeyDown={onKeyDown}>
        {mentions.map((mention) => {
          const name = toVisible(toMentionName(mention));
          const reason = findProblem(mention)?.reason;
          return (
            <li key={toMentionKey(mention)} className={classes.chip} data-problem={reason !== undefined || undefined}>
              <Tooltip label={toDetail(mention, t(`composer.attach.kind.${mention.kind}`))}>
                <span className={classes.words}>
                  <MentionIcon kind={mention.kind} />
                  <span className={classes.name}>{name}</span>
                </span>
              </Tooltip>
              {mention.kind === 'asset' && CAN_SEND.test(mention.path) && (
                <Tooltip label={t('composer.attach.sendPicture')}>
                  <ActionIcon
                    size={20}
                    radius="xl"
                    aria-label={t('composer.attach.sendPictureOf', { name })}
                    onClick={() => void addAssetPicture(mention.path)}
                  >
                    <IconEye size={13} />
                  </ActionIcon>
                </Tooltip>
              )}
              <RemoveButton label={t('composer.attach.remove', { name })} onClick={() => removeMention(mention)} />
            </li>
          );
        })}
        {pictures.map(({ picture, url }, index) => {
          const name = t('composer.attach.picture', { number: index + 1 });
          return (
            <li key={picture.id} className={classes.picture} data-problem={!canSee || undefined}>
              <img src={url} alt={name} />
              <RemoveButton label={t('composer.attach.remove', { name })} onClick={() => removePicture(picture.id)} />
            </li>
          );
        })}
      </ul>
      {problem && (
        <p className={classes.problem} role="alert">
          {t(`errors:${problem.reason}`, { name: toVisible(problem.name) })}
        </p>
      )}
      {pictures.length > 0 && !canSee && (
        <p className={classes.problem} role="alert">
          {t('errors:model.noPictures')}
        </p>
      )}
    </>
  );
}

function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon data-remove size={20} radius="xl" aria-label={label} onClick={onClick}>
      <IconX size={12} />
    </ActionIcon>
  );
}

function toDetail(mention: Mention, kind: string): string {
  const detail = mention.kind === 'problem' ? mention.message : 'path' in mention ? mention.path : mention.name;
  return `${kind}: ${toVisible(detail)}`;
}
