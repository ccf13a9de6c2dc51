import { VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconMicrophone } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Diagnostic } from '../../../shared/model/diagnostic.ts';
import { Spelled } from '../text/spelled.tsx';
import classes from './story-beat-row.module.css';
import type { StoryBeat, TextPart } from './story-diff.ts';
import { FlowLine, StageLine, StoryChoices } from './story-parts.tsx';

interface StoryBeatRowProps {
  beat: StoryBeat;
  /** Problems to show here. */
  problems: readonly Diagnostic[];
}

/** One beat of the story. A border marks it as added, removed or changed; hidden text states this to screen readers. */
export const StoryBeatRow = memo(function StoryBeatRow({ beat, problems }: StoryBeatRowProps) {
  const { t } = useTranslation('review');
  return (
    <li className={classes.root} data-mark={beat.mark} data-kind={beat.content.kind}>
      {beat.mark !== 'same' && <VisuallyHidden>{t(`story.${beat.mark}`)}: </VisuallyHidden>}
      <BeatContent beat={beat} />
      {beat.condition && <span className={classes.when}>{t('story.when', { condition: beat.condition })}</span>}
      {problems.map((problem) => (
        <ProblemNote key={`${problem.line}:${problem.column}:${problem.code}`} problem={problem} />
      ))}
    </li>
  );
});

function BeatContent({ beat }: { beat: StoryBeat }) {
  const { t } = useTranslation('review');
  const { content } = beat;
  switch (content.kind) {
    case 'say':
      return (
        <div className={classes.say} data-narration={content.speaker === '' || undefined}>
          {content.speaker !== '' && (
            <span className={classes.speaker}>
              <Spelled text={content.speaker} />
            </span>
          )}
          <span className={classes.text}>
            {beat.parts ? <Reworded parts={beat.parts} /> : <Spelled text={content.text} />}
            {content.hasVoice && <IconMicrophone size={12} className={classes.voice} aria-label={t('story.voice')} />}
          </span>
        </div>
      );
    case 'stage':
      return <StageLine directions={content.directions} />;
    case 'caption':
      return (
        <div className={classes.caption}>
          <Spelled text={content.lines.join('\n')} />
        </div>
      );
    case 'choice':
      return <StoryChoices choices={content.choices} />;
    case 'flow':
      return <FlowLine flow={content.flow} target={content.target} />;
    case 'comment':
      return (
        <span className={classes.comment}>
          <Spelled text={t('story.comment', { text: content.text })} />
        </span>
      );
  }
}

function Reworded({ parts }: { parts: readonly TextPart[] }) {
  return parts.map((part, index) => {
    const key = `${index}:${part.mark}`;
    if (part.mark === 'added')
      return (
        <ins key={key}>
          <Spelled text={part.text} />
        </ins>
      );
    if (part.mark === 'removed') return <del key={key}>{part.text}</del>;
    return <span key={key}>{part.text}</span>;
  });
}

function ProblemNote({ problem }: { problem: Diagnostic }) {
  const { t } = useTranslation('review');
  return (
    <div className={classes.problem} data-severity={problem.severity}>
      <IconAlertTriangle size={13} aria-label={t(`problems.${problem.severity}`)} />
      <span>{problem.message}</span>
    </div>
  );
}
