import { pathOf } from '../../state/monaco/model-path.ts';
import type { Monaco } from '../../state/monaco/monaco.ts';
import { WEBGAL } from '../../state/monaco/webgal-id.ts';
import { askLanguage } from './ask-language.ts';

/** Registers folding of the lines below a label and of consecutive comments. */
export function registerFolds(monaco: Monaco): void {
  const { FoldingRangeKind } = monaco.languages;
  monaco.languages.registerFoldingRangeProvider(WEBGAL, {
    async provideFoldingRanges(model, _context, token) {
      const path = pathOf(model);
      const ranges = path === null ? null : await askLanguage({ model, token }, 'fold', { path });
      return (ranges ?? []).map(({ start, end, kind }) => ({
        start,
        end,
        kind: kind === 'comment' ? FoldingRangeKind.Comment : FoldingRangeKind.Region,
      }));
    },
  });
}
