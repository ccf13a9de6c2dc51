import type { StageState } from '../../../shared/model/stage.ts';

type Variables = NonNullable<StageState['shown']>['variables'];

const MAX_VARIABLES = 500;
const MAX_VALUE_LENGTH = 500;
/** Longer names are no variables of a script. */
const MAX_NAME_LENGTH = 200;

/** Returns speaker, text and variables of the engine's state, which is untrusted and therefore validated. */
export function toShownStage(stage: Record<string, unknown>): { speaker: string; text: string; variables: Variables } {
  const speaker = typeof stage.showName === 'string' ? stage.showName : '';
  const text = typeof stage.showText === 'string' ? stage.showText : '';
  return { speaker: speaker.slice(0, 500), text: text.slice(0, 5000), variables: toVariables(stage.GameVar) };
}

function toVariables(value: unknown): Variables {
  if (typeof value !== 'object' || value === null) return {};
  const variables: Variables = {};
  for (const [name, content] of Object.entries(value).slice(0, MAX_VARIABLES)) {
    if (name.length > MAX_NAME_LENGTH) continue;
    if (typeof content === 'string') variables[name] = content.slice(0, MAX_VALUE_LENGTH);
    else if (typeof content === 'boolean' || (typeof content === 'number' && Number.isFinite(content))) {
      variables[name] = content;
    }
  }
  return variables;
}
