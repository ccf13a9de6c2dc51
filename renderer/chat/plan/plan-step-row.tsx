import { ActionIcon, Checkbox, Loader, Switch, Tooltip } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconCheck,
  IconFileText,
  IconMessageQuestion,
  IconMinus,
  IconPencil,
  IconPhoto,
  IconSettings,
  IconUser,
  IconX,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShownStep, StepType } from '../../../shared/model/plan/patch.ts';
import { toSpelled } from '../../../shared/text/spelled-text.ts';
import { fileName } from '../../ui/text/file-name.ts';
import shared from '../chat-rows.module.css';
import { MentionText } from '../text/mention-text.tsx';
import { PlaceButton } from '../text/place-button.tsx';
import classes from './plan.module.css';
import type { StepChange } from './plan-edits.ts';
import { StepEditor } from './step-editor.tsx';
import { StepQuestions } from './step-questions.tsx';
import { useIssueText } from './use-issue-text.ts';
import type { WrittenSteps } from './use-written-steps.ts';
import { WrittenStepRow } from './written-step-row.tsx';

interface PlanStepRowProps {
  step: ShownStep;
  /** 0-based. */
  place: number;
  count: number;
  /** True while the plan waits for the user. */
  isOpen: boolean;
  canEdit: boolean;
  onMove: (by: number) => void;
  onChange: (change: StepChange) => void;
  /** Steps that were written without review. */
  written: WrittenSteps;
  /** A dry run found that its prepared changes fit. */
  isChecked: boolean;
}

const ICONS: Readonly<Record<StepType, typeof IconUser>> = {
  scene_edit: IconFileText,
  asset_binding: IconPhoto,
  character_definition: IconUser,
  manual_review: IconMessageQuestion,
  custom_command: IconSettings,
};

/** One step of a plan: what is done and where, what is missing, and what became of it. */
export function PlanStepRow({
  step,
  place,
  count,
  isOpen,
  canEdit,
  onMove,
  onChange,
  written,
  isChecked,
}: PlanStepRowProps) {
  const { t } = useTranslation('chat');
  const [isEditing, setEditing] = useState(false);
  const canChange = isOpen && (step.state === 'waiting' || step.state === 'failed');
  const name = toSpelled(step.summary);
  const own = written.steps.get(step.step_id);
  return (
    <li className={classes.step} data-state={step.state} data-off={!step.ticked || undefined}>
      <div className={classes.head}>
        {canChange ? (
          <Checkbox
            className={classes.tick}
            checked={step.ticked}
            disabled={!canEdit}
            aria-label={t('plan.step.tick', { step: name })}
            onChange={(event) => onChange({ ticked: event.currentTarget.checked })}
          />
        ) : (
          <StepMark state={step.state} place={place} />
        )}
        {isEditing ? (
          <StepEditor
            step={step}
            onCancel={() => setEditing(false)}
            onSave={(change) => {
              setEditing(false);
              onChange(change);
            }}
          />
        ) : (
          <div className={classes.what}>
            <MentionText text={name} />
          </div>
        )}
        {canChange && !isEditing && (
          <div className={classes.tools}>
            <StepButton label={t('plan.step.edit', { step: name })} isOff={!canEdit} onClick={() => setEditing(true)}>
              <IconPencil size={14} />
            </StepButton>
            <StepButton
              label={t('plan.step.up', { step: name })}
              isOff={!canEdit || place === 0}
              onClick={() => onMove(-1)}
            >
              <IconArrowUp size={14} />
            </StepButton>
            <StepButton
              label={t('plan.step.down', { step: name })}
              isOff={!canEdit || place === count - 1}
              onClick={() => onMove(1)}
            >
              <IconArrowDown size={14} />
            </StepButton>
          </div>
        )}
      </div>
      {!isEditing && <StepFacts step={step} isChecked={isChecked} />}
      {own && <WrittenStepRow step={own} written={written} />}
      {step.ticked && <StepReasons step={step} />}
      {canChange && step.ticked && <StepQuestions step={step} canEdit={canEdit} onChange={onChange} />}
      {canChange && step.ticked && needsWord(step) && <StepWord step={step} canEdit={canEdit} onChange={onChange} />}
    </li>
  );
}

/** The user's word for a step that must not run without it. */
function StepWord({ step, canEdit, onChange }: Pick<PlanStepRowProps, 'step' | 'canEdit' | 'onChange'>) {
  const { t } = useTranslation('chat');
  return (
    <Switch
      className={classes.word}
      checked={step.approved}
      disabled={!canEdit}
      label={t('plan.step.approve')}
      onChange={(event) => onChange({ approved: event.currentTarget.checked })}
    />
  );
}

function isOver({ state }: ShownStep): boolean {
  return state !== 'waiting' && state !== 'running';
}

function needsWord({ step_type: type, approved, validation }: ShownStep): boolean {
  return type !== 'manual_review' && (approved || validation.execution_tier === 'blocked');
}

/** What kind of step it is, where, how risky, and what became of it. */
function StepFacts({ step, isChecked }: { step: ShownStep; isChecked: boolean }) {
  const { t } = useTranslation('chat');
  const { step_type: type, target, line, operations, risk, state, ticked } = step;
  const Icon = ICONS[type];
  const isFile = target?.includes('/') === true;
  return (
    <div className={classes.facts}>
      <span className={classes.fact}>
        <Icon size={13} aria-hidden />
        {t(`plan.type.${type}`)}
      </span>
      {target && isFile && (
        <PlaceButton path={target} line={line}>
          <bdi>{line === null ? fileName(target) : t('plan.step.line', { file: fileName(target), line })}</bdi>
        </PlaceButton>
      )}
      {target && !isFile && <bdi>{toSpelled(target)}</bdi>}
      {operations > 0 && !isOver(step) && <span>{t('plan.step.prepared', { count: operations })}</span>}
      {risk !== 'low' && <span data-risk={risk}>{t(`plan.risk.${risk}`)}</span>}
      {state !== 'waiting' && state !== 'written' && <span data-outcome={state}>{t(`plan.state.${state}`)}</span>}
      {isChecked && <span data-outcome="drafted">{t('plan.check.fits')}</span>}
      {state === 'waiting' && !ticked && <span>{t('plan.step.left')}</span>}
    </div>
  );
}

/** Why a step must not run, was skipped or failed; what to look at. */
function StepReasons({ step }: { step: ShownStep }) {
  const toText = useIssueText();
  const { validation, why, state } = step;
  const names = validation.unsafe_placeholders.map((name) => `placeholder:${name}`);
  const isPast = isOver(step);
  const grave = why.length > 0 ? why : isPast ? [] : [...validation.errors, ...names];
  const light = isPast ? [] : validation.warnings;
  const texts = [
    // Drafted all the same: why it waits for the review.
    ...grave.map((issue) => ({ issue, level: state === 'drafted' ? 'warning' : 'error' })),
    ...light.map((issue) => ({ issue, level: 'warning' })),
  ];
  if (texts.length === 0) return null;
  return (
    <ul className={classes.reasons}>
      {texts.map(({ issue, level }) => (
        <li key={issue} data-level={level}>
          {toText(issue)}
        </li>
      ))}
    </ul>
  );
}

function StepMark({ state, place }: { state: ShownStep['state']; place: number }) {
  return (
    <span className={shared.mark} data-state={state} aria-hidden>
      {state === 'running' && <Loader size={13} />}
      {(state === 'drafted' || state === 'written') && <IconCheck size={12} stroke={2.5} />}
      {state === 'failed' && <IconX size={12} stroke={2.5} />}
      {(state === 'skipped' || state === 'nothing') && <IconMinus size={12} stroke={2.5} />}
      {state === 'waiting' && place + 1}
    </span>
  );
}

function StepButton({
  label,
  isOff,
  onClick,
  children,
}: {
  label: string;
  isOff: boolean;
  onClick: () => void;
  children: React.ReactNode;
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={label}
        {...(isOff && { 'data-disabled': true, 'aria-disabled': true })}
        onClick={isOff ? undefined : onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
