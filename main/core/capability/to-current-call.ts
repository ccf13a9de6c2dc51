import { AppError } from '../../../shared/errors.ts';
import type { Tool } from './define-tool.ts';

export interface VersionedCall {
  name: string;
  input: unknown;
  /** The version of the tool that the caller speaks; today's when left out. */
  version?: string | undefined;
}

/**
 * A call as it is made today, out of one for an earlier version or by an earlier name. `E_UNSUPPORTED` names the version
 * that is understood where a call cannot be carried over, `E_BAD_ARGS` a version that is none. Minor versions differ in
 * optional fields only, so they need nothing.
 */
export function toCurrentCall(tools: readonly Tool[], call: VersionedCall): { name: string; input: unknown } {
  const { name, input, version } = call;
  const named = tools.find((tool) => tool.name === name);
  const tool = named ?? tools.find((each) => each.earlier?.some((shape) => shape.name === name));
  if (tool === undefined) return { name, input };
  const today = toMajor(tool.version);
  const asked = version === undefined ? undefined : toMajor(version);
  if (asked !== undefined && Number.isNaN(asked)) {
    throw new AppError('E_BAD_ARGS', `${JSON.stringify(version?.slice(0, 40))} is no version of ${name}.`, {
      hint: `The version of ${tool.name} is ${tool.version}.`,
      reason: 'tool.badArguments',
    });
  }
  if (named && (asked === undefined || asked === today)) return { name, input };
  const shape = tool.earlier?.find((each) =>
    named
      ? each.name === undefined && each.major === asked
      : each.name === name && (asked ?? each.major) === each.major,
  );
  if (!shape?.adapt) {
    const spoken = asked === undefined ? name : `version ${version} of ${name}`;
    throw new AppError('E_UNSUPPORTED', `${spoken} is not understood here. Nothing was done.`, {
      details: { tool: tool.name, version: tool.version, asked: version ?? null },
      hint: `Call ${tool.name} as its version ${tool.version} describes.`,
      reason: 'tool.otherVersion',
    });
  }
  // What is no object of arguments is left for the strict parse to refuse.
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { name: tool.name, input };
  return { name: tool.name, input: shape.adapt({ ...(input as Record<string, unknown>) }) };
}

function toMajor(version: string): number {
  const parts = /^(\d{1,9})\.\d{1,9}\.\d{1,9}$/.exec(version.trim());
  return parts ? Number(parts[1]) : Number.NaN;
}
