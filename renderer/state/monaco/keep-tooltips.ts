import { setHoverDelegateFactory } from 'monaco-editor/base/browser/ui/hover/hoverDelegateFactory.js';
import type * as Monaco from 'monaco-editor/editor';
import { StandaloneServices } from 'monaco-editor/editor/standalone/browser/standaloneServices.js';
import { WorkbenchHoverDelegate } from 'monaco-editor/platform/hover/browser/hover.js';
import { IInstantiationService } from 'monaco-editor/platform/instantiation/common/instantiation.js';

/**
 * Makes the editor's menus and lists create their tooltips with the page-wide services. By default Monaco uses those of
 * the editor created last; after that one is disposed (a diff, when a review ends), the menus of the others are empty.
 */
export function keepTooltips(monaco: typeof Monaco): void {
  monaco.editor.onDidCreateEditor(() => {
    // The event fires before the new editor registers its services; the microtask runs after and overrides them.
    queueMicrotask(() =>
      setHoverDelegateFactory((placement, instantHover) =>
        StandaloneServices.get(IInstantiationService).createInstance(
          WorkbenchHoverDelegate,
          placement,
          { instantHover },
          {},
        ),
      ),
    );
  });
}
