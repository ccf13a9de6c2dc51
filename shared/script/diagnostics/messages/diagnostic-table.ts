import { ANIMATION_DIAGNOSTICS } from './animations.ts';
import { ARGUMENT_DIAGNOSTICS } from './arguments.ts';
import { CHOOSE_DIAGNOSTICS } from './choose-options.ts';
import { COMMAND_WORD_DIAGNOSTICS } from './command-words.ts';
import type { Declaration } from './declaration.ts';
import { DIALOGUE_DIAGNOSTICS } from './dialogue-text.ts';
import { FILE_DIAGNOSTICS } from './files.ts';
import { FLOW_DIAGNOSTICS } from './flow.ts';
import { PROJECT_DIAGNOSTICS } from './project.ts';
import { PUNCTUATION_DIAGNOSTICS } from './punctuation.ts';
import { SPEAKER_DIAGNOSTICS } from './speakers.ts';
import { VARIABLE_DIAGNOSTICS } from './variables.ts';

/** All diagnostics, by code. Source of the editor, the tools, the command line and the documentation. */
export const DIAGNOSTICS = {
  ...COMMAND_WORD_DIAGNOSTICS,
  ...PUNCTUATION_DIAGNOSTICS,
  ...FILE_DIAGNOSTICS,
  ...FLOW_DIAGNOSTICS,
  ...CHOOSE_DIAGNOSTICS,
  ...VARIABLE_DIAGNOSTICS,
  ...ANIMATION_DIAGNOSTICS,
  ...ARGUMENT_DIAGNOSTICS,
  ...DIALOGUE_DIAGNOSTICS,
  ...SPEAKER_DIAGNOSTICS,
  ...PROJECT_DIAGNOSTICS,
} satisfies Record<string, Declaration>;

export type DiagnosticCode = keyof typeof DIAGNOSTICS;

/** The declaration of a code. */
export function diagnosticOf(code: DiagnosticCode): Declaration {
  return DIAGNOSTICS[code];
}
