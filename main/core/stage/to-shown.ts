import type { StageShown as Shown } from '../../../shared/model/stage.ts';
import { isRecord, toFile, toShownFigures, toText } from './to-shown-figures.ts';

type Variables = Shown['variables'];

const MAX_VARIABLES = 500;
const MAX_VALUE_LENGTH = 500;
/** Longer names are no variables of a script. */
const MAX_NAME_LENGTH = 200;

/** Returns what is on the stage by the engine's state, which is untrusted and therefore validated. */
export function toShownStage(stage: Record<string, unknown>): Omit<Shown, 'scene' | 'line'> {
  const { bgm } = stage;
  return {
    speaker: toText(stage.showName, 500),
    text: toText(stage.showText, 5000),
    background: toFile(stage.bgName),
    music: toFile(isRecord(bgm) ? bgm.src : bgm),
    ...toShownFigures(stage),
    variables: toVariables(stage.GameVar),
  };
}

/** Returns the variables among these values, bounded. */
export function toVariables(value: unknown): Variables {
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
