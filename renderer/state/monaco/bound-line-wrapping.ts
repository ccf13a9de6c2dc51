import type * as Monaco from 'monaco-editor/editor';
import { DOMLineBreaksComputerFactory } from 'monaco-editor/editor/browser/view/domLineBreaksComputer.js';
import { MonospaceLineBreaksComputerFactory } from 'monaco-editor/editor/common/viewModel/monospaceLineBreaksComputer.js';
import { createLineWrapping } from './line-wrapping.ts';

/**
 * Bounds the `advanced` wrapping of all editors, which Monaco also uses for screen readers. Its lines break where the
 * browser measures them, but it lays out the whole text at once.
 */
export function boundLineWrapping(monaco: typeof Monaco): void {
  const { wordWrapBreakBeforeCharacters, wordWrapBreakAfterCharacters } = monaco.editor.EditorOptions;
  const options = new Map<number, string>(
    [wordWrapBreakBeforeCharacters, wordWrapBreakAfterCharacters].map(({ id, defaultValue }) => [id, defaultValue]),
  );
  const { create } = DOMLineBreaksComputerFactory;
  DOMLineBreaksComputerFactory.create = (view) =>
    createLineWrapping(
      create.call(DOMLineBreaksComputerFactory, view),
      MonospaceLineBreaksComputerFactory.create({ get: (id) => options.get(id) ?? '' }),
    );
}
