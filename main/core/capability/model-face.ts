import type { z } from 'zod';
import type { Tool, ToolPorts } from './define-tool.ts';

/** How calls of the app's own model are understood, beyond the schema. */
export interface ModelCalls {
  /** Arguments that are understood but not offered. */
  unlisted?: readonly string[];
  /** Other names of arguments, which models know from other agents: theirs → this tool's. */
  aliases?: Readonly<Record<string, string>>;
  /** Arguments that hold text of a file: lists of lines and texts with escaped line breaks are understood. */
  texts?: readonly string[];
}

/**
 * What the app's own model is offered under a tool's name, and how it is answered, where that differs from the published contract.
 * The capability, permissions, risk and policy of the tool stay. `approval` is not inherited, because its hooks read the arguments.
 */
export interface ModelFace<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  N extends keyof ToolPorts = keyof ToolPorts,
> extends Pick<
      Tool<I, O, N>,
      'description' | 'input' | 'output' | 'examples' | 'needs' | 'summarize' | 'paths' | 'handler'
    >,
    Partial<Pick<Tool<I, O, N>, 'approval' | 'earlier' | 'logged'>>,
    ModelCalls {}

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
    if (tool.forModel === undefined) return [{ ...tool, modelCalls: tool.modelCalls ?? {} }];
    const { approval: _, earlier: __, logged: ___, forModel, ...common } = tool;
    const { unlisted, aliases, texts, ...face } = forModel;
    const modelCalls = { ...(unlisted && { unlisted }), ...(aliases && { aliases }), ...(texts && { texts }) };
    return [{ ...common, ...face, modelCalls }];
  });
}

/** Returns the tools of the published contract. */
export function toClientTools(tools: readonly Tool[]): Tool[] {
  return tools.filter(({ audience }) => audience === undefined);
}
