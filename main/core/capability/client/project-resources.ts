import { AppError } from '../../../../shared/errors.ts';
import { mcpTexts } from '../../../../shared/i18n/mcp.ts';
import type { PendingApproval } from '../../../../shared/model/capability/approval.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import { SCENE_FOLDER } from '../../../../shared/script/project-index/project-facts.ts';
import type { ToolRunner } from '../../services.ts';
import type { WaitingCalls } from '../approvals/waiting-calls.ts';

/** A part of the game that can be read by its URI. */
export interface ProjectResource {
  uri: string;
  name: string;
  title: string;
  mimeType: string;
}

export interface ProjectResourceTemplate {
  uriTemplate: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
}

export interface ProjectResources {
  /** Lists every scene and the resources about the whole game. */
  list(signal: AbortSignal): Promise<ProjectResource[]>;
  templates(): ProjectResourceTemplate[];
  /** Throws `E_NOT_FOUND` for an unknown URI, otherwise the error of the underlying tool. */
  read(uri: string, signal: AbortSignal): Promise<{ uri: string; mimeType: string; text: string }>;
}

const JSON_TYPE = 'application/json';
const TEXT_TYPE = 'text/plain';
const SCENE = 'webgal://scene/';
const DIAGNOSTICS = 'webgal://diagnostics';
const SNAPSHOTS = 'webgal://snapshots';
const ASSETS = 'webgal://assets';
const APPROVALS = 'webgal://approvals';

type Title = 'assets' | 'diagnostics' | 'snapshots' | 'approvals';

/**
 * Exposes the game as resources. Each is the result of a tool call through the common pipeline, so sandbox, policy and audit log
 * apply to it.
 */
export function createProjectResources({ runner, waiting, locale, id }: ResourcePorts): ProjectResources {
  async function ask(name: string, input: unknown, signal: AbortSignal): Promise<unknown> {
    // Clients read resources by themselves and again and again: each would be another request to the user.
    const call = { mode: 'act', trace: 'resources', canWait: false } as const;
    const outcome = await runner.run({ id: id(), name, input, ...call, signal });
    if (outcome.ok) return outcome.value;
    const { code, message, hint, reason, details } = outcome.error ?? { code: 'E_INTERNAL', message: 'No answer.' };
    throw new AppError(code, message, {
      ...(hint !== undefined && { hint }),
      ...(reason !== undefined && { reason }),
      ...(details !== undefined && { details }),
    });
  }

  const toPage = (uri: string, name: Title): ProjectResource => ({
    uri,
    name,
    title: mcpTexts.translate(locale(), `resources.${name}`),
    mimeType: JSON_TYPE,
  });

  return {
    async list(signal) {
      const { scenes } = (await ask('list_project_resources', {}, signal)) as { scenes: string[] };
      return [
        toPage(ASSETS, 'assets'),
        toPage(DIAGNOSTICS, 'diagnostics'),
        toPage(SNAPSHOTS, 'snapshots'),
        toPage(APPROVALS, 'approvals'),
        ...scenes.map((scene) => ({
          uri: toSceneUri(scene),
          name: scene,
          title: scene,
          mimeType: TEXT_TYPE,
        })),
      ];
    },

    templates: () =>
      [
        { uriTemplate: `${SCENE}{+path}`, name: 'scene' as const, mimeType: TEXT_TYPE },
        { uriTemplate: `${DIAGNOSTICS}/{+path}`, name: 'sceneDiagnostics' as const, mimeType: JSON_TYPE },
        { uriTemplate: `${SNAPSHOTS}/{id}`, name: 'snapshot' as const, mimeType: TEXT_TYPE },
        { uriTemplate: `${APPROVALS}/{id}`, name: 'approval' as const, mimeType: JSON_TYPE },
      ].map(({ uriTemplate, name, mimeType }) => ({
        uriTemplate,
        name,
        title: mcpTexts.translate(locale(), `resources.${name}`),
        description: `${uriTemplate}: ${mcpTexts.translate('en', `resources.${name}`)}`,
        mimeType,
      })),

    async read(uri, signal) {
      const toJson = (value: unknown) => ({ uri, mimeType: JSON_TYPE, text: JSON.stringify(value, null, 2) });
      const json = async (name: string, input: unknown) => toJson(await ask(name, input, signal));
      if (uri === ASSETS) return json('list_project_resources', {});
      if (uri === DIAGNOSTICS) return json('read_lints', {});
      if (uri === SNAPSHOTS) return json('list_snapshots', {});
      if (uri === APPROVALS) return toJson({ approvals: (await waiting.list()).map(toSeen) });
      const approvalId = toRest(uri, `${APPROVALS}/`);
      if (approvalId !== null) return toJson(toSeen(await waiting.find(approvalId)));
      const path = toRest(uri, SCENE);
      if (path !== null) {
        const { content } = (await ask('read_file', { path: `${SCENE_FOLDER}${path}` }, signal)) as { content: string };
        return { uri, mimeType: TEXT_TYPE, text: content };
      }
      const checked = toRest(uri, `${DIAGNOSTICS}/`);
      if (checked !== null) return json('validate_script', { path: `${SCENE_FOLDER}${checked}` });
      const snapshotId = toRest(uri, `${SNAPSHOTS}/`);
      if (snapshotId !== null) {
        const { content } = (await ask('restore_snapshot', { snapshotId }, signal)) as { content: string };
        return { uri, mimeType: TEXT_TYPE, text: content };
      }
      throw new AppError('E_NOT_FOUND', `There is no resource at ${uri.slice(0, 200)}.`, {
        hint: 'List the resources first.',
      });
    },
  };
}

interface ResourcePorts {
  runner: ToolRunner;
  /** The calls of this client that wait for the user. */
  waiting: Pick<WaitingCalls, 'list' | 'find'>;
  locale: () => Locale;
  /** Returns a new call id. */
  id: () => string;
}

/** Returns the URI of a scene, given relative to the scene folder. */
function toSceneUri(scene: string): string {
  return `${SCENE}${scene.split('/').map(encodeURIComponent).join('/')}`;
}

export const toApprovalUri = (id: string): string => `${APPROVALS}/${id}`;

/** Returns what a client sees of its call that waits or waited. */
function toSeen({ id, capability, version, state, createdAt, expiresAt, answeredAt, error, ...more }: SeenCall) {
  const toTime = (milliseconds: number) => new Date(milliseconds).toISOString();
  const { reason: _, ...shown } = error ?? {};
  return {
    ...{ id, capability, version, state, createdAt: toTime(createdAt), expiresAt: toTime(expiresAt) },
    answeredAt: answeredAt === null ? null : toTime(answeredAt),
    ...(error !== null && { error: shown }),
    ...(more.result !== undefined && { result: more.result }),
  };
}

type SeenCall = PendingApproval & { result?: unknown };

/** The URI of the list of calls that wait, which changes with each of them. */
export const APPROVALS_URI = APPROVALS;

/** The URI of the snapshot list, which changes with each snapshot, not with each file. */
export const SNAPSHOTS_URI = SNAPSHOTS;

/** Returns the URIs whose content depends on the changed files. */
export function toChangedUris(paths: readonly string[]): string[] {
  const uris = new Set<string>();
  for (const path of paths) {
    if (path.startsWith(SCENE_FOLDER)) {
      const scene = toSceneUri(path.slice(SCENE_FOLDER.length));
      uris.add(scene).add(scene.replace(SCENE, `${DIAGNOSTICS}/`));
    }
    if (path.startsWith('game/')) uris.add(DIAGNOSTICS).add(ASSETS);
  }
  return [...uris];
}

/** Returns the decoded rest after the prefix; null for another prefix or a broken escape. The tool checks access. */
function toRest(uri: string, prefix: string): string | null {
  if (!uri.startsWith(prefix) || uri.length === prefix.length) return null;
  try {
    return decodeURIComponent(uri.slice(prefix.length));
  } catch {
    // A broken escape.
    return null;
  }
}
