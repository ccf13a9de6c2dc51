import type { Tool } from '../define-tool.ts';
import type { ToolSource } from './capability-set.ts';

/**
 * Returns the same changing set as one audience has it. `convert` is called once for each declaration, so that a tool which stayed
 * the same is the same object in the view, too.
 */
export function toView(source: ToolSource, convert: (tools: readonly Tool[]) => readonly Tool[]): ToolSource {
  const converted = new WeakMap<Tool, readonly Tool[]>();
  let from: readonly Tool[] | null = null;
  let view: readonly Tool[] = [];
  return {
    current() {
      const now = source.current();
      if (now === from) return view;
      from = now;
      view = now.flatMap((tool) => {
        const known = converted.get(tool) ?? convert([tool]);
        converted.set(tool, known);
        return known;
      });
      return view;
    },
  };
}
