import { type ChosenOption, toChosenOption } from '../../../shared/model/playtest/chosen-option.ts';
import { type Offer, toOffer } from '../../../shared/model/playtest/route-to-test.ts';
import type { StoryTest, VariableCheck } from '../../../shared/model/playtest/story-test.ts';
import type { TriedRoute } from '../../../shared/model/playtest/tried-route.ts';
import type { StoryValue } from '../../../shared/model/stage.ts';

/** An expectation that is checked while it is ticked. */
interface SceneRow {
  isTicked: boolean;
  scene: string;
}

export interface CheckRow {
  isTicked: boolean;
  name: string;
  is: VariableCheck['is'];
  /** As it is typed. */
  text: string;
  /** What `text` stands for as long as it is not changed. */
  value: StoryValue;
}

/** A test as the dialog edits it. */
export interface TestForm {
  name: string;
  choose: { text: string; nth: number }[];
  inputs: string[];
  ending: SceneRow;
  scene: SceneRow;
  checks: CheckRow[];
}

export function toForm({ name, choose, inputs = [], expect }: StoryTest): TestForm {
  return {
    name,
    choose: choose.map(toRow),
    inputs: [...inputs],
    ending: { isTicked: expect.ending !== undefined, scene: expect.ending ?? '' },
    scene: { isTicked: expect.scene !== undefined, scene: expect.scene ?? '' },
    checks: (expect.variables ?? []).map((check) => toCheckRow(check, true)),
  };
}

const toRow = (chosen: ChosenOption) => (typeof chosen === 'string' ? { text: chosen, nth: 1 } : { ...chosen });

const toCheckRow = ({ name, is, value }: VariableCheck, isTicked: boolean): CheckRow => ({
  ...{ isTicked, name, is, value, text: String(value) },
});

/**
 * Adds what the route reached to the form: as proposals where the test is new, else unticked below what it expects already. What the
 * user ticked or typed meanwhile stays.
 */
export function withOffer(form: TestForm, reached: TriedRoute['reached'], isNew: boolean): TestForm {
  const offer: Offer = toOffer(reached);
  const known = new Set(form.checks.map(({ name }) => name));
  const added = offer.variables.filter(({ name }) => !known.has(name));
  return {
    ...form,
    ending: form.ending.scene !== '' ? form.ending : toSceneRow(offer.ending?.scene, isNew),
    scene:
      form.scene.scene !== ''
        ? form.scene
        : toSceneRow(offer.proposedScene ?? offer.scenes.at(-1), isNew && offer.proposedScene !== null),
    checks: [...form.checks, ...added.map((check) => toCheckRow(check, isNew && check.isProposed))],
  };
}

const toSceneRow = (scene: string | undefined, isTicked: boolean): SceneRow => ({
  scene: scene ?? '',
  isTicked: isTicked && scene !== undefined,
});

/** Returns the test that the form describes. A changed value is a number or a switch where it reads as one. */
export function toTest(form: TestForm, toValue: (text: string) => StoryValue): StoryTest {
  const variables = form.checks
    .filter(({ isTicked }) => isTicked)
    .map(({ name, is, text, value }) => ({ name, is, value: text === String(value) ? value : toValue(text) }));
  return {
    name: form.name.trim(),
    choose: form.choose.map(toChosenOption),
    ...(form.inputs.length > 0 && { inputs: form.inputs }),
    expect: {
      ...(form.ending.isTicked && { ending: form.ending.scene }),
      ...(form.scene.isTicked && { scene: form.scene.scene }),
      ...(variables.length > 0 && { variables }),
    },
  };
}
