import { AppError } from '../../../../shared/errors.ts';
import type { Tool } from '../define-tool.ts';
import { negotiateMajor } from './negotiate-version.ts';

export interface VersionedCall {
  name: string;
  input: unknown;
  /** The tool version that the caller uses; the current one if absent. */
  version?: string | undefined;
}

/**
 * Converts a call with an earlier version or name to the current shape. Throws `E_UNSUPPORTED` with the supported version where
 * that is impossible, `E_BAD_ARGS` for an invalid version. Minor versions differ only in optional fields.
 */
export function toCurrentCall(tools: readonly Tool[], call: VersionedCall): { name: string; input: unknown } {
  const { name, input, version } = call;
  const named = tools.find((tool) => tool.name === name);
  const tool = named ?? tools.find((each) => each.earlier?.some((shape) => shape.name === name));
  if (tool === undefined) return { name, input };
  const today = toMajor(tool.version);
  const shapes = tool.earlier?.filter((shape) => (shape.name ?? tool.name) === name) ?? [];
  const earlier = shapes.map(({ major }) => major);
  const asked = version === undefined ? undefined : negotiateMajor(version, { current: tool.version, earlier });
  if (version !== undefined && asked === undefined) {
    throw new AppError('E_BAD_ARGS', `${JSON.stringify(version.slice(0, 40))} is no version of ${name}.`, {
      hint: `The version of ${tool.name} is ${tool.version}.`,
      reason: 'tool.badArguments',
    });
  }
  if (named && (asked === undefined || asked === today)) return { name, input };
  const shape = shapes.find(({ major }) => (asked === undefined ? true : asked === major));
  if (!shape?.adapt) {
    const spoken = version === undefined ? name : `version ${version} of ${name}`;
    throw new AppError('E_UNSUPPORTED', `${spoken} is not understood here. Nothing was done.`, {
      details: { tool: tool.name, version: tool.version, asked: version ?? null },
      hint: `Call ${tool.name} as its version ${tool.version} describes.`,
      reason: 'tool.otherVersion',
    });
  }
  // The strict parse rejects arguments that are not an object.
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { name: tool.name, input };
  return { name: tool.name, input: shape.adapt({ ...(input as Record<string, unknown>) }) };
}

function toMajor(version: string): number {
  return Number(version.split('.')[0]);
}
