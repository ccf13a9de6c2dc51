import { z } from 'zod';
import { toRiskSentence } from '../../../../shared/i18n/risks.ts';
import {
  type CapabilityManifest,
  type CapabilityType,
  type ManifestProvider,
  type RateLimit,
  RiskStatement,
} from '../../../../shared/model/capability/manifest.ts';
import { OWN_PROVIDER } from '../../../../shared/model/capability/namespace.ts';
import { toRiskDemands } from '../../../../shared/model/capability/risk-matrix.ts';
import { toLeastRole } from '../../../../shared/model/capability/role.ts';
import { type Locale, toLocalText } from '../../../../shared/model/local-text.ts';
import type { Tool } from '../define-tool.ts';
import { toArgumentSchema } from '../parsing/parse-input.ts';

/** The provider of the app's own capabilities. */
export const OWN: ManifestProvider = { id: OWN_PROVIDER, name: 'WebGAL Agent' };

/** Returns the published description of a tool, derived from its declaration. */
export function toManifest(tool: Tool, locale: Locale): CapabilityManifest {
  const { permissions, risk } = tool;
  const needed = [toPermission(tool.capability, tool.type)];
  const demands = toRiskDemands(risk.level, risk.rollback);
  const { said } = tool;
  return {
    id: tool.capability,
    version: tool.version,
    type: tool.type,
    name: toLocalText(tool.title, locale),
    description: tool.description,
    provider: tool.provider ?? OWN,
    parameters: withoutDialect(toArgumentSchema(tool)),
    returns: toSaidReturns(toReturns(tool.output), said),
    risk: RiskStatement.parse({
      level: risk.level,
      reason: toRiskSentence(risk.reason, locale),
      rollbackSupported: risk.rollback,
      snapshotRequired: risk.snapshot,
      approvalRequired: risk.approval !== 'never' || demands.approval !== 'never',
      auditLevel: risk.audit,
    }),
    permissions: needed,
    effects: [...permissions],
    ...(tool.claims && { claims: [...tool.claims] }),
    requiredRoles: [toLeastRole(needed)],
    rateLimit: toRateLimit(tool),
    ...(tool.deprecated && { deprecated: tool.deprecated }),
    tags: toTags(tool),
    examples:
      said?.examples.slice() ??
      tool.examples.map((example) => ({
        name: toLocalText(tool.summarize(tool.input.parse(example)), locale),
        parameters: example as Record<string, unknown>,
      })),
  };
}

const converted = new WeakMap<z.ZodType, Record<string, unknown>>();

/** All tools of other programs have one type of answer. */
function toReturns(output: z.ZodType): Record<string, unknown> {
  const schema =
    converted.get(output) ?? withoutDialect(z.toJSONSchema(output, { io: 'output', target: 'draft-2020-12' }));
  converted.set(output, schema);
  return schema;
}

/** The caller receives the answer of another program as a text; what the program says of it describes the JSON in there. */
function toSaidReturns(answer: Record<string, unknown>, said: Tool['said']): Record<string, unknown> {
  if (said?.returns === undefined) return answer;
  const properties = answer.properties as Record<string, object>;
  const text = { ...properties.text, contentMediaType: 'application/json', contentSchema: said.returns };
  return { ...answer, properties: { ...properties, text } };
}

/** Returns the permission that a caller needs for a capability. */
export function toPermission(capability: string, type: CapabilityType): string {
  return `mcp.${type}.${capability}`;
}

/**
 * Returns the permission that a call needs. A call of an action that changes nothing, such as a dry run (`permissions`: those of
 * the call), needs what reading does.
 */
export function toNeededPermission(
  tool: Pick<Tool, 'capability' | 'type' | 'permissions'>,
  permissions: readonly string[],
): string {
  const isReading = tool.permissions.length > permissions.length && permissions.every((each) => each === 'fs.read');
  return toPermission(tool.capability, isReading ? 'context' : tool.type);
}

/** Returns the limit in the shape of the manifest. */
export function toRateLimit({ rateLimit }: Pick<Tool, 'rateLimit'>): Extract<RateLimit, { requests: number }> {
  return typeof rateLimit === 'number' ? { requests: rateLimit, period: 'minute' } : rateLimit;
}

/** What no other program can call: the assistant of the app alone is offered it. */
const ASSISTANT_ONLY = 'assistant-only';

/** Returns the words of the namespace, the type and the declared tags, each once. */
export function toTags({ capability, type, audience, tags = [] }: Tool): string[] {
  const only = audience === 'model' ? [ASSISTANT_ONLY] : [];
  return [...new Set([...capability.split('.').slice(0, -1), type, ...only, ...tags])];
}

function withoutDialect({ $schema: _, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return schema;
}
