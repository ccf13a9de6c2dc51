import type { TextEdit } from '../../../../shared/model/diagnostic.ts';
import { type Completion, completionsAt } from '../../../../shared/script/language-features/completions.ts';
import { type FoldingRange, foldScene } from '../../../../shared/script/language-features/folding.ts';
import { formatScene } from '../../../../shared/script/language-features/format.ts';
import { type Hover, hoverAt, type Signature, signatureAt } from '../../../../shared/script/language-features/hover.ts';
import { type HintRequest, hintsOf, type LineHint } from '../../../../shared/script/language-features/line-hints.ts';
import { type LineMarks, marksOf } from '../../../../shared/script/language-features/line-marks.ts';
import type { ScriptPlace } from '../../../../shared/script/project-index/symbols.ts';
import type { Asked, LanguageState } from './language-state.ts';

/** Operations that help to read and write the lines of one scene. */
export function createLineOperations(state: LanguageState) {
  return {
    complete({ place, locale }: Asked<{ place: ScriptPlace }>): Completion[] {
      return completionsAt(state.index, place, locale);
    },
    hover({ place, locale }: Asked<{ place: ScriptPlace }>): Hover | null {
      return hoverAt(state.index, place, locale);
    },
    signature({ place, locale }: Asked<{ place: ScriptPlace }>): Signature | null {
      return signatureAt(state.index, place, locale);
    },
    /** Returns the lines to fade and to strike through. */
    mark({ path }: { path: string }): LineMarks {
      return marksOf(state.index, path);
    },
    hint({ path, ...request }: HintRequest & { path: string }): LineHint[] {
      return hintsOf(state.index, path, request);
    },
    fold({ path }: { path: string }): FoldingRange[] {
      return foldScene(state.index.scene(path)?.records ?? []);
    },
    format({ path }: { path: string }): TextEdit[] {
      return formatScene(state.index.scene(path)?.text ?? '', state.index.engineVersion);
    },
  };
}
