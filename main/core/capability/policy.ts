import type { ErrorCode } from '../../../shared/errors.ts';
import type { ChatMode } from '../../../shared/model/chat.ts';
import type { Permission, Risk } from './define-tool.ts';

/** What the writer chose for a tool; nothing chosen leaves it to the tool's declared risk. */
export type ToolChoice = 'ask' | 'allow' | 'never';

export interface PolicyRequest {
  tool: string;
  /** What this call needs, which can be less than the tool declares. */
  permissions: readonly string[];
  risk: Risk;
  inPlan: boolean;
  mode: ChatMode;
  /** Project paths the call is about, normalised. */
  paths: readonly string[];
}

export interface PolicyProject {
  /**
   * What becomes of a write. `drafted`: it waits in a proposal. `ask`: it is applied once somebody agreed. `allowed`:
   * it is applied, for the one who started this host said so. `refused`: this host only reads.
   */
  writes: 'drafted' | 'ask' | 'allowed' | 'refused';
  /** Whether commands and a browser are on offer at all. */
  developerMode: boolean;
  /** Folders the project itself puts off limits, beyond the built-in ones. A project can only tighten. */
  closedFolders: readonly string[];
}

export interface PolicySettings {
  tools: Readonly<Record<string, ToolChoice>>;
}

export type PolicyDecision =
  | { effect: 'ALLOW'; by: 'policy' | 'settings' }
  | { effect: 'DENY'; code: ErrorCode; reason: string; hint: string; by: 'policy' | 'settings' }
  | { effect: 'REQUIRE_CONFIRMATION'; scope: { tool: string; paths: readonly string[]; why: ConfirmationReason } };

/** Why somebody has to be asked. */
export type ConfirmationReason = 'risk' | 'settings' | 'write' | 'delete' | 'command' | 'unknown';

const KNOWN: ReadonlySet<string> = new Set<Permission>([
  'fs.read',
  'fs.write',
  'fs.delete',
  'proc.exec',
  'net.connect',
  'git.write',
]);
const DEVELOPER: ReadonlySet<string> = new Set<Permission>(['proc.exec', 'net.connect', 'git.write']);

/**
 * Decides one call, from nothing but its arguments. Refusals come first, so that no choice of the writer's can open
 * what the mode, the host or the project closes; then her choice; then the declared risk. What is not known is asked.
 */
export function decide(request: PolicyRequest, project: PolicyProject, settings: PolicySettings): PolicyDecision {
  const { permissions, risk, tool } = request;
  const needs = (permission: Permission) => permissions.includes(permission);
  const changes = needs('fs.write') || needs('fs.delete');
  // An own property only: a tool named like a member of every object must not find a choice there.
  const choice = Object.hasOwn(settings.tools, tool) ? settings.tools[tool] : undefined;
  const ask = (why: ConfirmationReason): PolicyDecision => ({
    effect: 'REQUIRE_CONFIRMATION',
    scope: { tool, paths: request.paths, why },
  });

  if (choice === 'never') {
    return deny('E_TOOL_DISABLED', `${tool} is switched off in the settings`, 'Do without this tool.', 'settings');
  }
  if (permissions.some((permission) => DEVELOPER.has(permission)) && !project.developerMode) {
    return deny('E_TOOL_DISABLED', `${tool} is only there in developer mode`, 'Do without this tool.');
  }
  const closed = request.paths.find((path) => project.closedFolders.some((folder) => isInside(path, folder)));
  if (closed !== undefined) {
    return deny('E_DENY_PATH', `the project puts ${closed} off limits`, 'Work with other files.');
  }
  if (request.mode === 'plan' && (!request.inPlan || changes)) {
    return deny(
      'E_POLICY_VIOLATION',
      `${tool} changes something, and this is plan mode`,
      'Describe the change as a numbered plan; it is carried out once the writer agrees.',
    );
  }
  if (changes && project.writes === 'refused') {
    return deny('E_POLICY_VIOLATION', 'this session may only read', 'Start it with --allow-write to change files.');
  }

  if (permissions.some((permission) => !KNOWN.has(permission)) || !isKnownRisk(risk)) return ask('unknown');
  if (choice === 'ask') return ask('settings');
  if (choice === 'allow') return { effect: 'ALLOW', by: 'settings' };
  if (needs('proc.exec') || needs('git.write')) return ask('command');
  if (needs('fs.delete') && project.writes !== 'drafted') return ask('delete');
  if (risk.approval === 'always') return ask('risk');
  if (changes && project.writes === 'ask') return ask('write');
  if (risk.approval === 'never' && risk.level === 'high') return ask('risk');
  return { effect: 'ALLOW', by: 'policy' };
}

function isKnownRisk({ level, approval }: Risk): boolean {
  return ['low', 'medium', 'high'].includes(level) && ['never', 'review', 'always'].includes(approval);
}

function deny(code: ErrorCode, reason: string, hint: string, by: 'policy' | 'settings' = 'policy'): PolicyDecision {
  return { effect: 'DENY', code, reason, hint, by };
}

function isInside(path: string, folder: string): boolean {
  const own = path.toLowerCase();
  const closed = folder.toLowerCase();
  return own === closed || own.startsWith(`${closed}/`);
}
