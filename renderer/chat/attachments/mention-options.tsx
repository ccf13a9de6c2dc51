import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { toVisible } from '../../../shared/text/shown-text.ts';
import type { Candidate } from '../../state/chat/find-mentions.ts';
import { MentionIcon } from './mention-icon.tsx';
import classes from './mention-options.module.css';
import type { MentionList } from './use-mention-list.ts';

interface MentionOptionsProps {
  list: MentionList;
}

/** The id of an option, to which the field refers while the option is active. */
export function toOptionId(list: Pick<MentionList, 'id'>, index: number): string {
  return `${list.id}-option-${index}`;
}

/** The options of the mention list. The field keeps the focus and names the active option. */
export function MentionOptions({ list }: MentionOptionsProps) {
  const { t } = useTranslation('chat');
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector(`#${CSS.escape(toOptionId(list, list.active))}`)?.scrollIntoView({ block: 'nearest' });
  });
  return (
    <div ref={box} id={list.id} role="listbox" aria-label={t('composer.attach.list')} className={classes.list}>
      {list.candidates.map((candidate, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
        <div
          key={toKey(candidate)}
          id={toOptionId(list, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === list.active}
          className={classes.option}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => list.choose(candidate)}
        >
          <MentionIcon kind={candidate.mention.kind} />
          <VisuallyHidden>{t(`composer.attach.kind.${candidate.mention.kind}`)}: </VisuallyHidden>
          <span className={classes.name}>{toVisible(candidate.name)}</span>
          <span className={classes.detail}>{toVisible(candidate.detail)}</span>
        </div>
      ))}
    </div>
  );
}

function toKey({ mention, name, detail }: Candidate): string {
  return `${mention.kind} ${name} ${detail}`;
}
