import { Button, NumberInput } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type StageLook, type StagePose, toPose } from '../../../shared/model/stage/stage-look.ts';
import { useStage } from '../../state/stage/stage-store.ts';
import { poseOnStage, writePose } from '../../workflows/stage/pose-on-stage.ts';
import classes from './stage-inspector.module.css';

/** The numbers of a pose as a writer reads them, each with its unit, limits and step. */
const FIELDS = [
  {
    name: 'right',
    unit: '',
    min: -10_000,
    max: 10_000,
    step: 20,
    read: ({ moved }) => moved.x,
    write: (pose, x) => ({ ...pose, moved: { ...pose.moved, x } }),
  },
  {
    name: 'down',
    unit: '',
    min: -10_000,
    max: 10_000,
    step: 20,
    read: ({ moved }) => moved.y,
    write: (pose, y) => ({ ...pose, moved: { ...pose.moved, y } }),
  },
  {
    name: 'width',
    unit: ' %',
    min: -2000,
    max: 2000,
    step: 5,
    read: ({ size }) => toPercent(size.x),
    write: (pose, x) => ({ ...pose, size: { ...pose.size, x: x / 100 } }),
  },
  {
    name: 'height',
    unit: ' %',
    min: -2000,
    max: 2000,
    step: 5,
    read: ({ size }) => toPercent(size.y),
    write: (pose, y) => ({ ...pose, size: { ...pose.size, y: y / 100 } }),
  },
  {
    name: 'turn',
    unit: '°',
    min: -3600,
    max: 3600,
    step: 5,
    read: ({ turned }) => turned,
    write: (pose, turned) => ({ ...pose, turned }),
  },
  {
    name: 'opacity',
    unit: ' %',
    min: 0,
    max: 100,
    step: 5,
    read: ({ opacity }) => toPercent(opacity),
    write: (pose, opacity) => ({ ...pose, opacity: opacity / 100 }),
  },
] as const satisfies readonly {
  name: string;
  unit: string;
  min: number;
  max: number;
  step: number;
  read(pose: StagePose): number;
  write(pose: StagePose, value: number): StagePose;
}[];

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
      <legend className={classes.hidden}>{t('pose.title', { name })}</legend>
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
