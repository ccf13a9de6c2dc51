import { setHoverDelegateFactory } from 'monaco-editor/base/browser/ui/hover/hoverDelegateFactory.js';
import { StandaloneServices } from 'monaco-editor/editor/standalone/browser/standaloneServices.js';
import { WorkbenchHoverDelegate } from 'monaco-editor/platform/hover/browser/hover.js';
import { IInstantiationService } from 'monaco-editor/platform/instantiation/common/instantiation.js';
import type { Monaco } from './monaco.ts';

/**
 * Has the editor's menus and lists make their tooltips with services that last as long as the page. By itself Monaco
 * uses those of the editor made last, and once that one is gone (a diff, when a review ends) its menus stay empty.
 */
export function keepTooltips(monaco: Monaco): void {
  monaco.editor.onDidCreateEditor(() => {
    // Heard before the new editor offers its own services; after it has, these take their place.
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
