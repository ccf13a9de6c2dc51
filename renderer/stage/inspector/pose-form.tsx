import { Button, NumberInput, VisuallyHidden } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { POSE_LIMITS, type StageLook, type StagePose, toPose } from '../../../shared/model/stage/stage-look.ts';
import { useStage } from '../../state/stage/stage-store.ts';
import { poseOnStage, writePose } from '../../workflows/stage/pose-on-stage.ts';
import classes from './stage-inspector.module.css';

/** A number of a pose as a writer reads it, with its unit, limits and step. */
interface Field {
  name: 'right' | 'down' | 'width' | 'height' | 'turn' | 'opacity';
  unit: string;
  min: number;
  max: number;
  step: number;
  read(pose: StagePose): number;
  write(pose: StagePose, value: number): StagePose;
}

const toPlaceField = (name: 'right' | 'down', axis: 'x' | 'y'): Field => ({
  ...{ name, unit: '', min: -POSE_LIMITS.moved, max: POSE_LIMITS.moved, step: 20 },
  read: ({ moved }) => moved[axis],
  write: (pose, value) => ({ ...pose, moved: { ...pose.moved, [axis]: value } }),
});

const toSizeField = (name: 'width' | 'height', axis: 'x' | 'y'): Field => ({
  ...{ name, unit: ' %', min: -100 * POSE_LIMITS.size, max: 100 * POSE_LIMITS.size, step: 5 },
  read: ({ size }) => toPercent(size[axis]),
  write: (pose, value) => ({ ...pose, size: { ...pose.size, [axis]: value / 100 } }),
});

const FIELDS: readonly Field[] = [
  toPlaceField('right', 'x'),
  toPlaceField('down', 'y'),
  toSizeField('width', 'x'),
  toSizeField('height', 'y'),
  {
    ...{ name: 'turn', unit: '°', min: -POSE_LIMITS.turned, max: POSE_LIMITS.turned, step: 5 },
    read: ({ turned }) => turned,
    write: (pose, turned) => ({ ...pose, turned }),
  },
  {
    ...{ name: 'opacity', unit: ' %', min: 0, max: 100, step: 5 },
    read: ({ opacity }) => toPercent(opacity),
    write: (pose, opacity) => ({ ...pose, opacity: opacity / 100 }),
  },
];

/** Tries another pose of something on the stage, and writes it into the scene. `name`: what it is, for screen readers. */
export function PoseForm({ name, target, look }: { name: string; target: string; look: StageLook | undefined }) {
  const { t } = useTranslation('stage');
  const [pose, setPose] = useState(() => toPose(look));
  const isProposal = useStage(({ stage }) => stage.place?.source === 'proposal');
  const note = useId();
  const change = (changed: StagePose) => {
    setPose(changed);
    void poseOnStage(target, changed);
  };
  return (
    <fieldset className={classes.pose}>
      <VisuallyHidden component="legend">{t('pose.title', { name })}</VisuallyHidden>
      <div className={classes.fields}>
        {FIELDS.map(({ name: field, unit, read, write, ...limits }) => (
          <NumberInput
            key={field}
            size="xs"
            label={t(`pose.${field}`)}
            suffix={unit}
            {...limits}
            decimalScale={1}
            clampBehavior="strict"
            value={read(pose)}
            onChange={(value) => typeof value === 'number' && value !== read(pose) && change(write(pose, value))}
          />
        ))}
      </div>
      <Button
        size="compact-xs"
        variant="light"
        disabled={isProposal}
        aria-describedby={note}
        onClick={() => void writePose(target, pose)}
      >
        {t('pose.write')}
      </Button>
      <p id={note} className={classes.note}>
        {t(isProposal ? 'pose.proposal' : 'pose.note')}
      </p>
    </fieldset>
  );
}

function toPercent(share: number): number {
  return Math.round(share * 1000) / 10;
}
