import {
  IconAward,
  IconCornerDownRight,
  IconForms,
  IconHourglass,
  IconMovie,
  IconMusic,
  IconPhoto,
  IconSparkles,
  IconUser,
  IconVariable,
  IconVolume,
} from '@tabler/icons-react';
import { createContext, use, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Spelled } from '../text/spelled.tsx';
import type { StageDirection, StoryChoice, StoryContent } from './story-beats.ts';
import classes from './story-parts.module.css';

const ICONS = {
  background: IconPhoto,
  figure: IconUser,
  music: IconMusic,
  sound: IconVolume,
  video: IconMovie,
  effect: IconSparkles,
  variable: IconVariable,
  pause: IconHourglass,
  reward: IconAward,
  input: IconForms,
} as const;

/** Stage directions of one beat in one line. */
export function StageLine({ directions }: { directions: readonly StageDirection[] }) {
  const { t } = useTranslation('review');
  const pictured = directions.filter(({ picture }) => picture !== null);
  const picture = (pictured.find(({ icon }) => icon === 'background') ?? pictured[0])?.picture;
  return (
    <span className={classes.stage}>
      {picture && <StagePicture key={picture} path={picture} />}
      {directions.map(({ what, icon, values }, index) => {
        const DirectionIcon = ICONS[icon];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: directions are identified by their position
          <span key={index} className={classes.direction}>
            <DirectionIcon size={13} stroke={1.7} aria-hidden />
            <span>
              <Spelled text={t(`stage.${what}`, values)} />
            </span>
          </span>
        );
      })}
    </span>
  );
}

/** Returns the address of a picture of the game; null while there is none. */
export const StoryPictureContext = createContext<(path: string) => string | null>(() => null);

/** Thumbnail of the shown image; renders nothing while it cannot be served. */
function StagePicture({ path }: { path: string }) {
  const address = use(StoryPictureContext)(path);
  const [isBroken, setBroken] = useState(false);
  if (!address || isBroken) return null;
  return (
    <img
      className={classes.picture}
      data-figure={path.startsWith('game/figure/') || undefined}
      src={address}
      alt=""
      loading="lazy"
      onError={() => setBroken(true)}
    />
  );
}

/** Options of a choice with their targets. */
export function StoryChoices({ choices }: { choices: readonly StoryChoice[] }) {
  const { t } = useTranslation('review');
  return (
    <ul className={classes.choices} aria-label={t('story.choice')}>
      {choices.map((choice, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two options can have the same text
        <li key={index} className={classes.choice}>
          <span className={classes.label}>
            <Spelled text={choice.label} />
          </span>
          <span className={classes.target} data-nowhere={choice.target === '' || undefined}>
            <IconCornerDownRight size={14} aria-hidden />
            {choice.target === ''
              ? t('story.nowhere')
              : t(choice.isScene ? 'story.toScene' : 'story.toLabel', { target: choice.target })}
          </span>
          {choice.condition && (
            <span className={classes.condition}>{t('story.when', { condition: choice.condition })}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

type Flow = Extract<StoryContent, { kind: 'flow' }>;

/** A jump with its target, or a label. */
export function FlowLine({ flow, target }: Pick<Flow, 'flow' | 'target'>) {
  const { t } = useTranslation('review');
  return (
    <span className={classes.flow} data-flow={flow}>
      {t(`flow.${flow}`, { target })}
    </span>
  );
}
