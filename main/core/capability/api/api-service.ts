import { z } from 'zod';
import { AppError, type ErrorData, toErrorData } from '../../../../shared/errors.ts';
import type { CapabilityResponse } from '../../../../shared/model/capability/capability-response.ts';
import {
  type LayeredCode,
  toCapabilityError,
  toHttpStatus,
  toRefusal,
} from '../../../../shared/model/capability/layered-error.ts';
import { InvokePayload } from '../../../../shared/model/capability/message-frame.ts';
import type { ToolOutcome } from '../../services.ts';
import type { Approvals } from '../approvals/approvals.ts';
import { type Discovery, DiscoveryQuery, isProvider } from './discovery.ts';
import { toOpenApi } from './openapi.ts';

export const API_BASE = '/api/v1';

export interface ApiRequest {
  method: string;
  /** The path, decoded. */
  path: string;
  query: Readonly<Record<string, string>>;
  body: unknown;
  signal: AbortSignal;
}

export interface ApiReply {
  status: number;
  body: unknown;
}

/** Calls a capability of the open game. Never rejects. */
export type ApiCall = (payload: InvokePayload, signal: AbortSignal) => Promise<ToolOutcome>;

/** Answers the requests of the discovery API. Never rejects. */
export interface ApiService {
  handle(request: ApiRequest): Promise<ApiReply>;
  /** Calls a capability; the same as over HTTP, for a frame of a WebSocket. */
  invoke(payload: unknown, signal: AbortSignal): Promise<CapabilityResponse>;
  /** Returns the answer to what is no request that may be handled. */
  refuse(code: LayeredCode, message: string): ApiReply;
}

interface ApiServiceOptions {
  discovery: Discovery;
  call: ApiCall;
  now: () => number;
  version: string;
  isGameOpen: () => boolean;
  /** The calls of the open game that wait for the user; null while none is open, or where there is none. */
  approvals: () => Pick<Approvals, 'list' | 'find'> | null;
}

/** Creates what answers a call. */
function createInvoke({
  discovery,
  call,
  now,
}: Pick<ApiServiceOptions, 'discovery' | 'call' | 'now'>): ApiService['invoke'] {
  async function invoke(payload: unknown, signal: AbortSignal): Promise<CapabilityResponse> {
    const started = now();
    const parsed = InvokePayload.safeParse(payload);
    const outcome = parsed.success ? await run(parsed.data, signal) : { ok: false, error: toBadRequest(parsed.error) };
    const id = parsed.success ? parsed.data.capabilityId : undefined;
    const manifest = id === undefined ? null : discovery.find(id);
    const envelope = toEnvelope({ started, now: now() });
    const { deprecated } = manifest ?? {};
    const metadata = {
      ...envelope.metadata,
      ...(manifest && { capabilityId: manifest.id, capabilityVersion: manifest.version }),
      ...(manifest && { serverId: manifest.provider.id }),
      ...(deprecated && { deprecated }),
    };
    if (outcome.error) return { ...envelope, success: false, error: toCapabilityError(outcome.error), metadata };
    const data = (outcome.value ?? {}) as Record<string, unknown>;
    const snapshotId = typeof data.snapshotId === 'string' ? { snapshotId: data.snapshotId } : {};
    return { ...envelope, success: true, data, metadata: { ...metadata, ...snapshotId } };
  }

  async function run(
    payload: InvokePayload,
    signal: AbortSignal,
  ): Promise<Pick<ToolOutcome, 'ok' | 'value' | 'error'>> {
    const manifest = discovery.find(payload.capabilityId);
    if (manifest?.type === 'event') {
      const error = new AppError('E_UNSUPPORTED', `${manifest.id} is an event. Subscribe to it over the WebSocket.`, {
        reason: 'capability.isEvent',
      });
      return { ok: false, error: toErrorData(error) };
    }
    return call(payload, signal);
  }

  return invoke;
}

export function createApiService(options: ApiServiceOptions): ApiService {
  const { discovery, now, version, isGameOpen } = options;
  const invoke = createInvoke(options);
  const respond = (data: Record<string, unknown>, extra: Partial<CapabilityResponse> = {}): ApiReply => ({
    status: 200,
    body: { ...toEnvelope({ started: now(), now: now() }), success: true, data, ...extra },
  });

  const refuse = (code: LayeredCode, message: string): ApiReply => ({
    status: toHttpStatus(code),
    body: { ...toEnvelope({ started: now(), now: now() }), success: false, error: toRefusal(code, message) },
  });

  function route({ method, path, query, body, signal }: ApiRequest): ApiReply | Promise<ApiReply> {
    if (!path.startsWith(`${API_BASE}/`)) throw toUnknownPath(path);
    const [area, id, part, ...more] = path.slice(API_BASE.length + 1).split('/');
    const isGet = method === 'GET' && more.length === 0;
    if (method === 'POST' && area === 'capabilities' && id !== undefined && part === 'call' && more.length === 0) {
      const given = typeof body === 'object' && body !== null ? body : {};
      return invoke({ ...given, capabilityId: id }, signal).then((response) => ({
        status: response.error ? toHttpStatus(response.error.code) : 200,
        body: response,
      }));
    }
    if (isGet && area === 'openapi.json' && id === undefined) return { status: 200, body: toOpenApi(version) };
    if (isGet && area === 'health' && id === undefined)
      return respond({ status: 'ready', version, game: isGameOpen() });
    if (isGet && area === 'approvals' && part === undefined) return showApprovals(id);
    if (isGet && area === 'capabilities' && part === undefined) return id === undefined ? list(query) : show(id);
    if (isGet && area === 'providers' && id === undefined) return respond({ items: discovery.providers() });
    if (isGet && area === 'providers' && id !== undefined && part === 'capabilities') {
      if (!isProvider(discovery, id)) throw toUnknown(`There is no provider ${JSON.stringify(id.slice(0, 64))}.`);
      return list({ ...query, provider: id });
    }
    throw toUnknownPath(path);
  }

  async function showApprovals(id: string | undefined): Promise<ApiReply> {
    const approvals = options.approvals();
    if (approvals === null) throw toNoGame();
    return respond(id === undefined ? { items: await approvals.list() } : { ...(await approvals.find(id)) });
  }

  function list(query: ApiRequest['query']): ApiReply {
    const parsed = DiscoveryQuery.safeParse(query);
    if (!parsed.success) throw new AppError('E_BAD_ARGS', z.prettifyError(parsed.error).slice(0, 1000));
    const { items, position } = discovery.list(parsed.data);
    return respond({ items }, { pagination: position });
  }

  function show(id: string): ApiReply {
    const manifest = discovery.find(id);
    if (manifest === null) throw toUnknown(`There is no capability ${JSON.stringify(id.slice(0, 160))}.`);
    return respond({ ...manifest });
  }

  return {
    ...{ invoke, refuse },
    async handle(request) {
      const started = now();
      try {
        return await route(request);
      } catch (failure) {
        const error = toCapabilityError(toErrorData(failure));
        return {
          status: toHttpStatus(error.code),
          body: { ...toEnvelope({ started, now: now() }), success: false, error },
        };
      }
    },
  };
}

/** The outcome of a call while no game is open. */
export function toNoGame(): AppError {
  return new AppError('E_NOT_FOUND', 'No game is open.', { reason: 'project.noneOpen', hint: 'Open a game first.' });
}

function toEnvelope({ started, now }: { started: number; now: number }) {
  return {
    requestId: crypto.randomUUID(),
    timestamp: new Date(now).toISOString(),
    metadata: { executionTime: Math.max(0, Math.round(now - started)), serverId: 'webgal-agent' },
  };
}

function toBadRequest(error: z.ZodError): ErrorData {
  const message = z.prettifyError(error).slice(0, 1000);
  return toErrorData(new AppError('E_BAD_ARGS', message, { reason: 'capability.badRequest' }));
}

function toUnknown(message: string): AppError {
  return new AppError('E_UNSUPPORTED', message, {
    hint: `List them with ${API_BASE}/capabilities.`,
    reason: 'tool.unknown',
  });
}

function toUnknownPath(path: string): AppError {
  return toUnknown(`There is nothing at ${JSON.stringify(path.slice(0, 200))}; see ${API_BASE}/openapi.json.`);
}
