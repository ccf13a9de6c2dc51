import type { Monaco } from '../../state/monaco/monaco.ts';
import { registerWebgal } from '../register-webgal.ts';
import { registerCompletions } from './completions.ts';
import { registerFolds } from './folds.ts';
import { registerFormatting } from './formatting.ts';
import { registerHovers } from './hovers.ts';
import { registerLineHints } from './line-hints.ts';
import { registerOutline } from './outline.ts';
import { connectPeeks } from './peek-models.ts';
import { registerQuickFixes } from './quick-fixes.ts';
import { registerReferences } from './references.ts';
import { registerKeys } from './register-keys.ts';
import { registerRenaming } from './renaming.ts';
import { registerSignatures } from './signatures.ts';

const FEATURES = [
  registerWebgal,
  registerQuickFixes,
  registerCompletions,
  registerHovers,
  registerSignatures,
  registerOutline,
  registerFolds,
  registerFormatting,
  registerReferences,
  registerRenaming,
  registerLineHints,
  connectPeeks,
  registerKeys,
];

/** Registers all language features of the editor. */
export function registerFeatures(monaco: Monaco): void {
  for (const register of FEATURES) register(monaco);
}
