import { toSceneName } from '../../script/project-index/project-facts.ts';
import type { RouteStep } from '../stage/stage-route.ts';
import type { StoryValue } from '../stage.ts';
import { toChosenOption } from './chosen-option.ts';
import type { StoryTest, VariableCheck } from './story-test.ts';
import type { TriedRoute } from './tried-route.ts';

/** More variables than these are offered unticked: a test that checks everything fails with every change. */
const MAX_TICKED = 3;

/** Returns the choices and answers of a route, as a story test has them. Answers at the end that leave the game's default are left out. */
export function toRoute(steps: readonly RouteStep[]): Pick<StoryTest, 'choose' | 'inputs'> {
  const choose = steps.flatMap((step) => (step.kind === 'choice' ? [toChosenOption(step)] : []));
  const typed = steps.flatMap((step) => (step.kind === 'input' ? [step.text] : []));
  const inputs = typed.slice(0, typed.findLastIndex((text) => text !== '') + 1);
  return { choose, ...(inputs.length > 0 && { inputs }) };
}

/** What a test can expect of a route, as it is offered: each with whether it is proposed. */
export interface Offer {
  /** Null if the story goes on. */
  ending: { scene: string; isProposed: boolean } | null;
  /** The scenes on the way; the one that is proposed, if any. */
  scenes: string[];
  proposedScene: string | null;
  variables: (VariableCheck & { isProposed: boolean })[];
}

/**
 * Returns what a route reached as offers for a test. Proposes the ending, else the scene at which the story waits; numbers and
 * switches if they are few. Names and other texts are offered only.
 */
export function toOffer({ ending, scenes, variables }: TriedRoute['reached']): Offer {
  const checks = Object.entries(variables)
    .filter(([name]) => name.length <= 200)
    .map(([name, value]) => toCheck(name, value));
  const counted = checks.filter(({ value }) => typeof value !== 'string');
  const names = scenes.map(toSceneName);
  const last = names.at(-1);
  return {
    ending: ending === null ? null : { scene: toSceneName(ending), isProposed: true },
    scenes: names,
    proposedScene: ending === null && names.length > 1 && last !== undefined ? last : null,
    variables: checks.map((check) => ({
      ...check,
      isProposed: counted.length <= MAX_TICKED && typeof check.value !== 'string',
    })),
  };
}

/** A number above zero may grow without breaking the test. */
function toCheck(name: string, value: StoryValue): VariableCheck {
  return { name, is: typeof value === 'number' && value > 0 ? '>=' : '==', value };
}

/** Returns a name that no test has: the wanted one, or the wanted one with a number. */
export function toFreeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted;
  for (let number = 2; ; number += 1) {
    const name = `${wanted} ${number}`;
    if (!taken.includes(name)) return name;
  }
}
