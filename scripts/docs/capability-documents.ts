import { z } from 'zod';
import { toOpenApi } from '../../main/core/capability/api/openapi.ts';
import { toManifest } from '../../main/core/capability/catalog/to-manifest.ts';
import type { Tool } from '../../main/core/capability/define-tool.ts';
import { EVENT_IDS, toEventManifest } from '../../main/core/capability/events/event-catalog.ts';
import { toClientTools, toModelTools } from '../../main/core/capability/model-face.ts';
import { CONTRACT_VERSION } from '../../main/core/capability/runner/envelope.ts';
import { AuditEvent } from '../../shared/model/capability/audit-event.ts';
import { CapabilityResponse } from '../../shared/model/capability/capability-response.ts';
import { COMMON_TYPES } from '../../shared/model/capability/common-types.ts';
import { CapabilityError } from '../../shared/model/capability/layered-error.ts';
import { CapabilityManifest } from '../../shared/model/capability/manifest.ts';
import { EventPayload, InvokePayload, MessageFrame } from '../../shared/model/capability/message-frame.ts';
import { GatewayFrame, ProviderDescription, ProviderFrame } from '../../shared/model/capability/provider-frames.ts';

type JsonSchema = Record<string, unknown>;

/** What the protocol demands of a manifest and a response; the app's own have all of it. */
const Manifest = CapabilityManifest.partial({
  ...{ parameters: true, returns: true, risk: true, permissions: true, effects: true, requiredRoles: true },
  ...{ rateLimit: true, tags: true, examples: true },
});
const Response = CapabilityResponse.partial({ metadata: true });

/** Generates the manifest of every capability, and the schemas of manifests and messages. Paths are below `docs/`. */
export function toCapabilityDocuments(tools: readonly Tool[]): { path: string; text: string }[] {
  const openApi = { path: 'schemas/openapi-v1.json', text: toText(toOpenApi(CONTRACT_VERSION)) };
  return [...toManifests(tools), ...toProtocolSchemas(), openApi];
}

/** Returns the manifests as other programs receive them; of a tool that only the app's model has, as that model does. */
function toManifests(tools: readonly Tool[]): { path: string; text: string }[] {
  const published = toClientTools(tools);
  const known = new Set(published.map(({ name }) => name));
  const own = toModelTools(tools).filter(({ name }) => !known.has(name));
  const manifests = [
    ...[...published, ...own].map((tool) => toManifest(tool, 'en')),
    ...EVENT_IDS.map((id) => toEventManifest(id, 'en')),
  ];
  return manifests.map((manifest) => ({ path: `capabilities/${manifest.id}.json`, text: toText(manifest) }));
}

function toProtocolSchemas(): { path: string; text: string }[] {
  const common = Object.entries({ ...COMMON_TYPES, Response }).map(([name, type]) => [
    name,
    // A type with parts of its own is a document of its own, which its references are relative to.
    { $id: `common-types-v1.${name}`, ...toSchema(type) },
  ]);
  const schemas: Record<string, JsonSchema> = {
    'capability-manifest-v1': { title: 'A capability', ...toSchema(Manifest) },
    'common-types-v1': { title: 'Types that capabilities share', $defs: Object.fromEntries(common) },
    'error-v1': { title: 'A failure of a capability', ...toSchema(CapabilityError) },
    'message-frame-v1': {
      title: 'A message over a WebSocket',
      ...toSchema(MessageFrame),
      $defs: { Invoke: toSchema(InvokePayload), Event: toSchema(EventPayload) },
    },
    'audit-event-v1': { title: 'A line of the audit log', ...toSchema(AuditEvent) },
    ...PROVIDER_SCHEMAS,
  };
  return toSchemaFiles(schemas);
}

/** What providers send and receive. */
const PROVIDER_SCHEMAS: Record<string, JsonSchema> = {
  'provider-description-v1': { title: 'What a provider offers', ...toSchema(ProviderDescription) },
  'provider-frame-v1': { title: 'A message of a provider', ...toSchema(ProviderFrame) },
  'gateway-frame-v1': { title: 'A message to a provider', ...toSchema(GatewayFrame) },
};

/** Returns the schemas that are a part of the SDK. */
export function toSdkSchemas(): { path: string; text: string }[] {
  return toSchemaFiles(PROVIDER_SCHEMAS);
}

function toSchemaFiles(schemas: Record<string, JsonSchema>): { path: string; text: string }[] {
  return Object.entries(schemas).map(([name, schema]) => ({
    path: `schemas/${name}.json`,
    text: toText({ $schema: 'https://json-schema.org/draft/2020-12/schema', $id: name, ...schema }),
  }));
}

function toSchema(type: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input', target: 'draft-2020-12' });
  return schema;
}

function toText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
