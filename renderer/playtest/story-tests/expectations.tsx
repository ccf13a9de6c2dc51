import { Checkbox, Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { VariableCheck } from '../../../shared/model/playtest/story-test.ts';
import type { TriedRoute } from '../../../shared/model/playtest/tried-route.ts';
import { toSceneName } from '../../../shared/script/project-index/project-facts.ts';
import { toVisible } from '../../../shared/text/shown-text.ts';
import classes from './story-test-dialog.module.css';
import type { CheckRow, TestForm } from './test-form.ts';

interface ExpectationsProps {
  form: TestForm;
  /** What the route reached; null until it was played. */
  reached: TriedRoute['reached'] | null;
  onChange: (change: (form: TestForm) => TestForm) => void;
}

/** What must hold at the end of a test: its ending, a scene on the way, and values of variables. */
export function Expectations({ form, reached, onChange }: ExpectationsProps) {
  const { t } = useTranslation('playtest');
  const { ending, scene, checks } = form;
  const scenes = (reached?.scenes ?? []).map(toSceneName);
  const endings = reached?.ending == null ? [] : [toSceneName(reached.ending)];
  const isEmpty = !ending.isTicked && !scene.isTicked && !checks.some(({ isTicked }) => isTicked);
  return (
    <fieldset className={classes.group}>
      <legend>{t('expect')}</legend>
      <SceneExpectation
        label={t('expectEnding')}
        sceneLabel={t('endingScene')}
        row={ending}
        scenes={endings}
        onChange={(next) => onChange((before) => ({ ...before, ending: next }))}
      />
      <SceneExpectation
        label={t('expectScene')}
        sceneLabel={t('passedScene')}
        row={scene}
        scenes={scenes}
        onChange={(next) => onChange((before) => ({ ...before, scene: next }))}
      />
      <div className={classes.checks}>
        {checks.map((check, at) => (
          <Check
            key={check.name}
            check={check}
            onChange={(next) =>
              onChange((before) => ({
                ...before,
                checks: before.checks.map((each, place) => (place === at ? { ...each, ...next } : each)),
              }))
            }
          />
        ))}
      </div>
      {isEmpty && <p className={classes.none}>{t('expectNothing')}</p>}
    </fieldset>
  );
}

interface SceneExpectationProps {
  label: string;
  sceneLabel: string;
  row: TestForm['ending'];
  /** What the route reached. */
  scenes: readonly string[];
  onChange: (row: TestForm['ending']) => void;
}

/** Renders nothing where there is no scene to choose. */
function SceneExpectation({ label, sceneLabel, row, scenes, onChange }: SceneExpectationProps) {
  const all = [...new Set([row.scene, ...scenes])].filter((scene) => scene !== '');
  if (all.length === 0) return null;
  return (
    <div className={classes.row}>
      <Checkbox
        label={label}
        checked={row.isTicked}
        onChange={(event) => onChange({ ...row, isTicked: event.currentTarget.checked })}
      />
      <Select
        className={classes.text ?? ''}
        size="xs"
        aria-label={sceneLabel}
        allowDeselect={false}
        value={row.scene}
        data={all.map((value) => ({ value, label: toVisible(value) }))}
        onChange={(scene) => onChange({ isTicked: true, scene: scene ?? row.scene })}
      />
    </div>
  );
}

function Check({ check, onChange }: { check: CheckRow; onChange: (change: Partial<CheckRow>) => void }) {
  const { t } = useTranslation('playtest');
  const name = toVisible(check.name);
  return (
    <div className={classes.row}>
      <Checkbox
        className={classes.name ?? ''}
        label={name}
        checked={check.isTicked}
        onChange={(event) => onChange({ isTicked: event.currentTarget.checked })}
      />
      <Select
        className={classes.is ?? ''}
        size="xs"
        aria-label={t('comparison', { name })}
        allowDeselect={false}
        value={check.is}
        data={VariableCheck.shape.is.options.map((value) => ({ value, label: t(`is.${value}`) }))}
        onChange={(is) => is !== null && onChange({ is: is as CheckRow['is'], isTicked: true })}
      />
      <TextInput
        className={classes.value ?? ''}
        size="xs"
        aria-label={t('expectedValue', { name })}
        maxLength={1_000}
        value={check.text}
        onChange={(event) => onChange({ text: event.currentTarget.value, isTicked: true })}
      />
    </div>
  );
}
