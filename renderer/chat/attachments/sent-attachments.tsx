import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Mention, toMentionKey, toMentionName } from '../../../shared/model/message/mention.ts';
import type { Picture } from '../../../shared/model/message/picture.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import { api } from '../../api.ts';
import { PlaceButton } from '../text/place-button.tsx';
import { MentionIcon } from './mention-icon.tsx';
import classes from './sent-attachments.module.css';

interface SentAttachmentsProps {
  mentions: readonly Mention[];
  pictures: readonly Pick<Picture, 'id'>[];
  /** For a message that waits above the message field. */
  isSmall?: boolean;
}

/** What a message that was sent, or waits, refers to and shows. */
export function SentAttachments({ mentions, pictures, isSmall = false }: SentAttachmentsProps) {
  const { t } = useTranslation('chat');
  if (mentions.length + pictures.length === 0) return null;
  return (
    <ul className={classes.list} data-small={isSmall || undefined} aria-label={t('composer.attach.sent')}>
      {mentions.map((mention) => (
        <li key={toMentionKey(mention)} className={classes.mention}>
          <MentionIcon kind={mention.kind} />
          <SentMention mention={mention} />
        </li>
      ))}
      {pictures.map(({ id }, index) => (
        <li key={id} className={classes.picture}>
          <SentPicture id={id} name={t('composer.attach.picture', { number: index + 1 })} />
        </li>
      ))}
    </ul>
  );
}

/** A link to the place in a scene; assets and characters have none. */
function SentMention({ mention }: { mention: Mention }) {
  const name = toVisible(toMentionName(mention));
  if (mention.kind === 'asset' || mention.kind === 'character') return <span>{name}</span>;
  return (
    <PlaceButton path={mention.path} line={'line' in mention ? mention.line : null}>
      {name}
    </PlaceButton>
  );
}

function SentPicture({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('chat');
  const [url, setUrl] = useState<string | null>(null);
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    api.call('chat.picture', { id }).then(
      ({ type, data }) => isCurrent && setUrl(`data:${type};base64,${data}`),
      () => isCurrent && setGone(true),
    );
    return () => {
      isCurrent = false;
    };
  }, [id]);
  if (isGone) return <span className={classes.gone}>{t('composer.attach.pictureGone')}</span>;
  return url === null ? null : <img src={url} alt={name} />;
}
