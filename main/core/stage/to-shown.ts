import type { StageState } from '../../../shared/model/stage.ts';

type Variables = NonNullable<StageState['shown']>['variables'];

const MOST_VARIABLES = 500;
const LONGEST_VALUE = 500;

/** Who speaks, what is said and what the story remembers, out of the engine's whole stage. Trusts nothing of it. */
export function toShownStage(stage: Record<string, unknown>): { speaker: string; text: string; variables: Variables } {
  const speaker = typeof stage.showName === 'string' ? stage.showName : '';
  const text = typeof stage.showText === 'string' ? stage.showText : '';
  return { speaker: speaker.slice(0, 500), text: text.slice(0, 5000), variables: toVariables(stage.GameVar) };
}

function toVariables(value: unknown): Variables {
  if (typeof value !== 'object' || value === null) return {};
  const variables: Variables = {};
  for (const [name, content] of Object.entries(value).slice(0, MOST_VARIABLES)) {
    if (typeof content === 'string') variables[name] = content.slice(0, LONGEST_VALUE);
    else if (typeof content === 'boolean' || (typeof content === 'number' && Number.isFinite(content))) {
      variables[name] = content;
    }
  }
  return variables;
}
