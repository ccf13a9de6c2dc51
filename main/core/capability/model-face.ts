import type { z } from 'zod';
import type { ModelFace, Tool, ToolPorts } from './define-tool.ts';

/** Types a face so that the handler receives only the ports in `needs`. */
export function defineFace<I extends z.ZodType, O extends z.ZodType, const N extends keyof ToolPorts>(
  face: ModelFace<I, O, N>,
): ModelFace<I, O, N> {
  return face;
}

/** Returns the tools as the app's own model has them. */
export function toModelTools(tools: readonly Tool[]): Tool[] {
  return tools.flatMap((tool) => {
    if (tool.forModel === 'hidden') return [];
    if (tool.forModel === undefined) return [tool.modelCalls ? tool : { ...tool, modelCalls: {} }];
    const { approval: _, earlier: __, logged: ___, forModel, ...common } = tool;
    const { unlisted, aliases, texts, ...face } = forModel;
    const modelCalls = { ...(unlisted && { unlisted }), ...(aliases && { aliases }), ...(texts && { texts }) };
    return [{ ...common, ...face, modelCalls }];
  });
}

/** Returns the tools of the published contract, and those that need the window of the app. */
export function toClientTools(tools: readonly Tool[]): Tool[] {
  return tools.filter(({ audience }) => audience !== 'model');
}
