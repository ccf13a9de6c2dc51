import type { ErrorCode } from '../../../../shared/errors.ts';
import { APPROVALS, RISK_LEVELS, toRiskDemands } from '../../../../shared/model/capability/risk-matrix.ts';
import { PERMISSIONS, type Permission, type ToolChoice } from '../../../../shared/model/capability.ts';
import type { ChatMode } from '../../../../shared/model/chat.ts';
import type { Declaration, DeclarationPart } from '../../../../shared/model/external/declaration.ts';
import type { Risk } from '../define-tool.ts';
import { isClosed } from './closed-folders.ts';
import { findLackingRole, toStricterApproval } from './least-demands.ts';
import type { BrokenPolicy } from './policy-file.ts';
import type { ConfirmationReason, DenialReason } from './policy-reasons.ts';

export interface PolicyRequest {
  tool: string;
  /** The permissions of this call, possibly fewer than the tool declares. */
  permissions: readonly string[];
  risk: Risk;
  inPlan: boolean;
  mode: ChatMode;
  /** Normalised project paths of the call. */
  paths: readonly string[];
  /** True if the host can ask a question. */
  canAsk: boolean;
  /** The name of the script that the call would run. */
  command?: string;
  /** False when the call would run a text that was not shown in this session. */
  shown?: boolean;
  /** True when that text differs from the one at the time the game was opened. */
  isNew?: boolean;
  /** What the caller needs to be granted, and the role that it has. An unknown role is that of a viewer. */
  needed: string;
  role: string;
  /** Names whose *ask* and *never* hold for this tool, too. */
  groups?: readonly string[];
  /** Set where the user allowed the tool, and another program declares it differently now: the parts; none if unknown. */
  changed?: readonly DeclarationPart[];
  /** The other program that would be asked, and the role that the user gave it. */
  provider?: { id: string; role: string };
}

export interface PolicyProject {
  /**
   * How writes are handled. `drafted`: they become a proposal. `ask`: they are applied after consent. `allowed`: they are applied,
   * as chosen when the host was started. `refused`: the host is read-only.
   */
  writes: 'drafted' | 'ask' | 'allowed' | 'refused';
  /** True if commands and a browser are available. */
  developerMode: boolean;
  /**
   * How commands and browser calls are handled in developer mode. `ask` (default): each requires consent. `allowed`: they run,
   * because the mode was named when the host was started and questions are impossible; limited to scripts that existed then.
   */
  developerCalls?: 'ask' | 'allowed';
  /** Folders that the policy file closes, besides the built-in ones. */
  closedFolders: readonly string[];
  /** Tools that the policy file sets to ask or never. It cannot allow, because it only tightens. */
  tools?: Readonly<Record<string, 'ask' | 'never'>>;
  /** The only scripts that may run, if the policy file limits them. */
  allowedCommands?: readonly string[] | undefined;
  /** Set when the policy file is invalid. Its restrictions are unknown then, so everything is closed. */
  broken?: BrokenPolicy | null;
}

export interface PolicySettings {
  tools: Readonly<Record<string, ToolChoice>>;
  /** What was declared of tools of other programs when they were allowed. */
  allowedAs?: Readonly<Record<string, Declaration>>;
}

type Author = 'policy' | 'settings' | 'project';

export type PolicyDecision =
  | { effect: 'ALLOW'; by: Author }
  | {
      effect: 'DENY';
      code: ErrorCode;
      /** Explanation for the model. */
      reason: string;
      hint: string;
      /** Key of the message on the page (`errors:<why>`). */
      why: DenialReason;
      by: Author;
    }
  | {
      effect: 'REQUIRE_CONFIRMATION';
      scope: {
        tool: string;
        paths: readonly string[];
        why: ConfirmationReason;
        canAlways: boolean;
        /** What changed since the user allowed it. */
        changed?: readonly DeclarationPart[];
        /** How often the user has to agree. */
        questions: 1 | 2;
      };
    };

const KNOWN: ReadonlySet<string> = new Set(PERMISSIONS);
const CHANGES: readonly Permission[] = ['fs.write', 'fs.delete', 'git.write'];
const DEVELOPER: ReadonlySet<string> = new Set<Permission>(['proc.exec', 'net.connect', 'git.write']);

/** Returns true for a tool that exists only in developer mode. */
export function isDeveloperTool(permissions: readonly string[]): boolean {
  return permissions.some((permission) => DEVELOPER.has(permission));
}

/**
 * Decides one call. Pure. Refusals come first, so that no choice of the user can allow what the mode, the host or the policy file
 * closes; then unknown tools, the user's choice and the policy file; then the declared risk. Unknown means ask, and where
 * questions are impossible, ask means deny.
 */
export function decide(request: PolicyRequest, project: PolicyProject, settings: PolicySettings): PolicyDecision {
  const refusal = refuse(request, project, settings);
  if (refusal !== null) return refusal;
  const { permissions, risk, tool } = request;
  const question = toQuestion(request, project, settings);
  if (question === null) {
    return { effect: 'ALLOW', by: isFreed(request, project, settings) ? 'settings' : 'policy' };
  }
  if (!request.canAsk && request.isNew === true) {
    return deny('E_POLICY_VIOLATION', 'tool.scriptIsNew', {
      reason: 'the script changed since this session began, and consent cannot be requested here',
      hint: 'Do without it, or let the user look at package.json and start this host anew.',
    });
  }
  if (!request.canAsk) {
    return deny('E_POLICY_VIOLATION', 'tool.nobodyToAsk', {
      reason: 'it needs consent, which cannot be requested here',
      hint: 'Do without it, or let the user do this step.',
    });
  }
  // “Always” is offered only where it would apply to the next call.
  const counts =
    question !== 'unknown' && question !== 'project' && isKnown(permissions, risk) && isFreeable(permissions, project);
  const canAlways = counts && project.tools !== undefined ? ownValue(project.tools, tool) === undefined : counts;
  return {
    effect: 'REQUIRE_CONFIRMATION',
    scope: {
      ...{ tool, paths: request.paths, why: question, canAlways: canAlways && risk.level !== 'critical' },
      questions: toRiskDemands(risk.level, risk.rollback).questions,
      ...(question === 'declaration' && request.changed && { changed: request.changed }),
    },
  };
}

function refuse(request: PolicyRequest, project: PolicyProject, settings: PolicySettings): PolicyDecision | null {
  const { permissions, tool, command } = request;
  const changes = isChange(permissions);
  const names = [tool, ...(request.groups ?? [])];
  if (names.some((name) => ownValue(settings.tools, name) === 'never')) {
    return deny('E_TOOL_DISABLED', 'tool.off', {
      reason: `${tool} is switched off in the settings`,
      hint: 'Do without this tool.',
      by: 'settings',
    });
  }
  if (project.broken && permissions.length > 0) {
    const { file, line, problem } = project.broken;
    return deny('E_POLICY_VIOLATION', 'tool.rulesBroken', {
      reason: `the game's rules in ${file}${line === null ? '' : `, line ${line},`} cannot be understood (${problem})`,
      hint: `Nothing can be read or changed until ${file} is fixed or removed. Tell the user.`,
      by: 'project',
    });
  }
  const { tools: rules } = project;
  if (rules !== undefined && names.some((name) => ownValue(rules, name) === 'never')) {
    return deny('E_TOOL_DISABLED', 'tool.offByRules', {
      reason: `the game's rules switch ${tool} off`,
      hint: 'Do without this tool.',
      by: 'project',
    });
  }
  if (isDeveloperTool(permissions) && !project.developerMode) {
    return deny('E_TOOL_DISABLED', 'tool.developerOnly', {
      reason: `${tool} is only there in developer mode`,
      hint: 'Do without this tool.',
    });
  }
  if (command !== undefined && project.allowedCommands && !project.allowedCommands.includes(command)) {
    return deny('E_POLICY_VIOLATION', 'tool.commandClosed', {
      reason: `the game's rules do not allow the script ${command}`,
      hint: 'Do without it.',
      by: 'project',
    });
  }
  const closed = request.paths.find((path) => isClosed(path, project.closedFolders));
  if (closed !== undefined) {
    return deny('E_DENY_PATH', 'tool.folderClosed', {
      reason: `the project puts ${closed} off limits`,
      hint: 'Work with other files.',
      by: 'project',
    });
  }
  if (request.mode === 'plan' && (!request.inPlan || changes)) {
    return deny('E_POLICY_VIOLATION', 'tool.planOnly', {
      reason: `${tool} changes something, and this is plan mode`,
      hint: 'Describe the change as a numbered plan; it is carried out once the user agrees.',
    });
  }
  if (changes && project.writes === 'refused') {
    return deny('E_POLICY_VIOLATION', 'tool.readOnly', {
      reason: 'this session may only read',
      hint: 'Start it with --allow-write to change files.',
    });
  }
  return refuseByRole(request);
}

/** Refuses what the role of the caller, or of the program that would be called, does not include. */
function refuseByRole({ role, needed, provider }: PolicyRequest): PolicyDecision | null {
  const own = findLackingRole(role, needed);
  const other = provider === undefined ? null : findLackingRole(provider.role, needed);
  if (own === null && other === null) return null;
  return deny('E_POLICY_VIOLATION', own === null ? 'tool.providerRole' : 'tool.role', {
    reason: own ?? `${provider?.id}: ${other}`,
    hint: 'Do without it, or ask the user to change the role in the settings.',
    by: 'settings',
  });
}

/** Returns the reason for a question before this call; null for none. */
function toQuestion(
  request: PolicyRequest,
  project: PolicyProject,
  settings: PolicySettings,
): ConfirmationReason | null {
  const { permissions, risk, tool } = request;
  const needs = (permission: Permission) => permissions.includes(permission);
  const choice = ownValue(settings.tools, tool);
  if (!isKnown(permissions, risk)) return 'unknown';
  if (choice !== undefined && choice !== 'ask' && choice !== 'allow') return 'unknown';
  const names = [tool, ...(request.groups ?? [])];
  if (names.some((name) => ownValue(settings.tools, name) === 'ask')) return 'settings';
  const { tools: rules } = project;
  if (rules !== undefined && names.some((name) => ownValue(rules, name) !== undefined)) return 'project';
  if (choice === 'allow' && request.changed) return request.changed.length > 0 ? 'declaration' : 'unrecorded';
  const isFree = isFreed(request, project, settings);
  const isDeveloperCall = (needs('proc.exec') || needs('net.connect')) && !isChange(permissions);
  // A script written meanwhile may be the assistant's own, which the mode does not cover.
  if (isDeveloperCall && project.developerCalls === 'allowed' && request.isNew !== true) return null;
  // A game can change its scripts at any time: “Always allow” covers only script text that the user has reviewed.
  if (needs('proc.exec') && request.shown === false) return isFree ? 'script' : 'command';
  if (isFree) return null;
  if (needs('proc.exec') || needs('git.write')) return 'command';
  const changesDisk = isChange(permissions) && project.writes !== 'drafted';
  // Writing was allowed at the start of the host and removed files are kept; still ask when that is possible.
  if (needs('fs.delete') && changesDisk && request.canAsk) return 'delete';
  if (toStricterApproval(risk) === 'always') return 'risk';
  if (changesDisk && project.writes === 'ask') return 'write';
  if (changesDisk && !(risk.rollback && risk.snapshot)) return 'risk';
  return risk.approval === 'never' && toStricterApproval(risk) !== 'never' ? 'risk' : null;
}

function isChange(permissions: readonly string[]): boolean {
  return CHANGES.some((permission) => permissions.includes(permission));
}

/**
 * Returns true if the user's choice can replace the question. In the app *Allow* means that a change becomes a proposal; it does
 * not apply to a host where the same call would reach the disk.
 */
function isFreeable(permissions: readonly string[], { writes }: PolicyProject): boolean {
  return writes === 'drafted' || !isChange(permissions);
}

function isFreed(
  { permissions, tool, risk, changed }: PolicyRequest,
  project: PolicyProject,
  settings: PolicySettings,
): boolean {
  // No standing permission replaces the questions about what is critical.
  if (risk.level === 'critical') return false;
  // It was given for another declaration.
  if (changed !== undefined) return false;
  return ownValue(settings.tools, tool) === 'allow' && isFreeable(permissions, project);
}

function isKnown(permissions: readonly string[], { level, approval }: Risk): boolean {
  return (
    permissions.every((permission) => KNOWN.has(permission)) &&
    RISK_LEVELS.includes(level) &&
    APPROVALS.includes(approval)
  );
}

/** Reads own properties only, because a tool may be named like a member of every object. */
function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function deny(
  code: ErrorCode,
  why: DenialReason,
  { reason, hint, by = 'policy' }: { reason: string; hint: string; by?: Author },
): PolicyDecision {
  return { effect: 'DENY', code, reason, hint, why, by };
}
