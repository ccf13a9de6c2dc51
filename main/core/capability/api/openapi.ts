import { z } from 'zod';
import { CapabilityResponse } from '../../../../shared/model/capability/capability-response.ts';
import { CapabilityError } from '../../../../shared/model/capability/layered-error.ts';
import { CapabilityManifest } from '../../../../shared/model/capability/manifest.ts';
import { InvokePayload } from '../../../../shared/model/capability/message-frame.ts';
import { DiscoveryQuery } from './discovery.ts';

/** Returns the description of the discovery API (OpenAPI 3.1), derived from the schemas that requests are parsed with. */
export function toOpenApi(version: string): Record<string, unknown> {
  const components = z.registry<{ id: string }>();
  components.add(CapabilityManifest, { id: 'CapabilityManifest' });
  components.add(CapabilityResponse, { id: 'CapabilityResponse' });
  components.add(CapabilityError, { id: 'CapabilityError' });
  const { schemas } = z.toJSONSchema(components, {
    ...{ io: 'input', target: 'draft-2020-12' },
    uri: (id) => `#/components/schemas/${id}`,
  });
  const answer = {
    content: { 'application/json': { schema: { $ref: '#/components/schemas/CapabilityResponse' } } },
  };
  const responses = {
    200: { description: 'Done; `data` is the result.', ...answer },
    default: { description: 'Refused or failed; `error` says why.', ...answer },
  };
  const get = (summary: string, parameters: unknown[] = []) => ({ get: { summary, parameters, responses } });
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const { capabilityId: _, ...invoke } = toSchema(InvokePayload).properties as Record<string, unknown>;
  return {
    openapi: '3.1.0',
    info: { title: 'WebGAL Agent capabilities', version },
    security: [{ token: [] }],
    paths: {
      '/api/v1/capabilities': get('Lists and searches capabilities', toQueryParameters()),
      '/api/v1/capabilities/{id}': get('Describes a capability', [id]),
      '/api/v1/capabilities/{id}/call': {
        post: {
          summary: 'Calls a capability of the open game',
          parameters: [id],
          requestBody: { content: { 'application/json': { schema: { type: 'object', properties: invoke } } } },
          responses,
        },
      },
      '/api/v1/providers': get('Lists providers and whether they answer'),
      '/api/v1/providers/{id}/capabilities': get('Lists the capabilities of a provider', [id, ...toQueryParameters()]),
      '/api/v1/approvals': get('Lists calls that wait for the user, and their outcomes'),
      '/api/v1/approvals/{id}': get('Describes a call that waits or waited, with its result', [id]),
      '/api/v1/greeting': toGreetingPath(),
      '/api/v1/health': get('Tells whether the app answers and a game is open'),
      '/api/v1/events': {
        get: {
          summary: 'A WebSocket: frames `subscribe`, `unsubscribe` and `request`',
          responses: { 101: { description: 'Open.' } },
        },
      },
    },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutHead(schema)])),
    },
  };
}

/** Answered by the server itself, because it needs no token. */
function toGreetingPath(): Record<string, unknown> {
  const string = (pattern: string) => ({ type: 'string', pattern });
  const schema = { type: 'object', properties: { proof: string('^[A-Za-z0-9_-]{43}$') }, required: ['proof'] };
  return {
    get: {
      summary: 'Proves that who listens knows the token, before that is sent',
      description:
        'HMAC-SHA-256 in base64url, keyed by the token, of three lines without an end of line after the last: ' +
        '`WebGAL Agent discovery API, greeting 1`, the port, the challenge.',
      security: [],
      parameters: [{ name: 'challenge', in: 'query', required: true, schema: string('^[A-Za-z0-9_-]{43}$') }],
      responses: { 200: { description: 'The proof.', content: { 'application/json': { schema } } } },
    },
  };
}

function toQueryParameters(): unknown[] {
  const properties = toSchema(DiscoveryQuery).properties as Record<string, unknown>;
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }));
}

function toSchema(type: z.ZodType): Record<string, unknown> {
  return withoutHead(z.toJSONSchema(type, { io: 'input', target: 'draft-2020-12' }));
}

function withoutHead({ $schema: _, $id: __, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return schema;
}
