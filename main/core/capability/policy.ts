import type { ErrorCode } from '../../../shared/errors.ts';
import { PERMISSIONS, type Permission, type ToolChoice } from '../../../shared/model/capability.ts';
import type { ChatMode } from '../../../shared/model/chat.ts';
import { isClosed } from './closed-folders.ts';
import type { Risk } from './define-tool.ts';
import type { BrokenRules } from './project-rules.ts';

export interface PolicyRequest {
  tool: string;
  /** What this call needs, which can be less than the tool declares. */
  permissions: readonly string[];
  risk: Risk;
  inPlan: boolean;
  mode: ChatMode;
  /** Project paths the call is about, normalised. */
  paths: readonly string[];
  /** Whether there is somebody to ask. */
  canAsk: boolean;
  /** The script the call would run, by name. */
  command?: string;
  /** False when the call would run a text that nobody was shown in this session. */
  shown?: boolean;
  /** True when that text is not the one that was there when the game was opened. */
  isNew?: boolean;
}

export interface PolicyProject {
  /**
   * What becomes of a write. `drafted`: it waits in a proposal. `ask`: it is applied once somebody agreed. `allowed`:
   * it is applied, for the one who started this host said so. `refused`: this host only reads.
   */
  writes: 'drafted' | 'ask' | 'allowed' | 'refused';
  /** Whether commands and a browser are on offer at all. */
  developerMode: boolean;
  /**
   * What becomes of commands and browser calls in developer mode. `ask` (the default): each is asked about. `allowed`: they
   * run, for the one who started this host put it in that mode by name and there is nobody to ask any more; but only
   * scripts that were there then.
   */
  developerCalls?: 'ask' | 'allowed';
  /** Folders the game's rules put off limits, beyond the built-in ones. */
  closedFolders: readonly string[];
  /** Tools the game's rules ask about or switch off. There is no word for allowing one: rules only tighten. */
  tools?: Readonly<Record<string, 'ask' | 'never'>>;
  /** The only scripts that may run, where the game's rules say so. */
  allowedCommands?: readonly string[] | undefined;
  /** Set when the game's rules cannot be understood: what they would have closed is not known, so everything is. */
  broken?: BrokenRules | null;
}

export interface PolicySettings {
  tools: Readonly<Record<string, ToolChoice>>;
}

type Author = 'policy' | 'settings' | 'project';

export type PolicyDecision =
  | { effect: 'ALLOW'; by: Author }
  | {
      effect: 'DENY';
      code: ErrorCode;
      /** What happened, for the model. */
      reason: string;
      hint: string;
      /** Names the sentence a page shows (`errors:<why>`). */
      why: DenialReason;
      by: Author;
    }
  | {
      effect: 'REQUIRE_CONFIRMATION';
      scope: { tool: string; paths: readonly string[]; why: ConfirmationReason; canAlways: boolean };
    };

/** Why somebody has to be asked. */
export const CONFIRMATION_REASONS = [
  'risk',
  'settings',
  'project',
  'write',
  'delete',
  'command',
  'script',
  'unknown',
] as const;
export type ConfirmationReason = (typeof CONFIRMATION_REASONS)[number];

export type DenialReason =
  | 'tool.off'
  | 'tool.rulesBroken'
  | 'tool.offByRules'
  | 'tool.developerOnly'
  | 'tool.commandClosed'
  | 'tool.folderClosed'
  | 'tool.planOnly'
  | 'tool.readOnly'
  | 'tool.scriptIsNew'
  | 'tool.nobodyToAsk';

const KNOWN: ReadonlySet<string> = new Set(PERMISSIONS);
const CHANGES: readonly Permission[] = ['fs.write', 'fs.delete', 'git.write'];
const DEVELOPER: ReadonlySet<string> = new Set<Permission>(['proc.exec', 'net.connect', 'git.write']);

/** True for a tool that is only there in developer mode. */
export function isDeveloperTool(permissions: readonly string[]): boolean {
  return permissions.some((permission) => DEVELOPER.has(permission));
}

/**
 * Decides one call, from nothing but its arguments. Refusals come first, so that no choice of the writer's can open
 * what the mode, the host or the game's rules close; then what is not known, her choice and the rules' word; then the
 * declared risk. What is not known is asked, and where there is nobody to ask, a question is a refusal.
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
      reason: 'the script is not the one that was there when this session began, and there is nobody to ask about it',
      hint: 'Do without it, or let the writer look at package.json and start this host anew.',
    });
  }
  if (!request.canAsk) {
    return deny('E_POLICY_VIOLATION', 'tool.nobodyToAsk', {
      reason: "it needs somebody's consent, and there is nobody to ask here",
      hint: 'Do without it, or let the writer do this step.',
    });
  }
  // Where her word would not count the next time, she is not offered to give it for good.
  const counts =
    question !== 'unknown' && question !== 'project' && isKnown(permissions, risk) && isFreeable(permissions, project);
  const canAlways = counts && project.tools !== undefined ? ownValue(project.tools, tool) === undefined : counts;
  return {
    effect: 'REQUIRE_CONFIRMATION',
    scope: { tool, paths: request.paths, why: question, canAlways },
  };
}

function refuse(request: PolicyRequest, project: PolicyProject, settings: PolicySettings): PolicyDecision | null {
  const { permissions, tool, command } = request;
  const changes = isChange(permissions);
  if (ownValue(settings.tools, tool) === 'never') {
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
      hint: `Nothing can be read or changed until ${file} is mended or removed. Tell the writer.`,
      by: 'project',
    });
  }
  if (project.tools !== undefined && ownValue(project.tools, tool) === 'never') {
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
      hint: 'Describe the change as a numbered plan; it is carried out once the writer agrees.',
    });
  }
  if (changes && project.writes === 'refused') {
    return deny('E_POLICY_VIOLATION', 'tool.readOnly', {
      reason: 'this session may only read',
      hint: 'Start it with --allow-write to change files.',
    });
  }
  return null;
}

/** Why somebody has to be asked before this call runs; null when nobody has. */
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
  if (choice === 'ask') return 'settings';
  if (project.tools !== undefined && ownValue(project.tools, tool) !== undefined) return 'project';
  const isFree = isFreed(request, project, settings);
  const isDeveloperCall = (needs('proc.exec') || needs('net.connect')) && !isChange(permissions);
  // What was written meanwhile may be the assistant's own: nobody put the host in that mode for it.
  if (isDeveloperCall && project.developerCalls === 'allowed' && request.isNew !== true) return null;
  // A game can change its scripts at any time: her word covers what she saw.
  if (needs('proc.exec') && request.shown === false) return isFree ? 'script' : 'command';
  if (isFree) return null;
  if (needs('proc.exec') || needs('git.write')) return 'command';
  const changesDisk = isChange(permissions) && project.writes !== 'drafted';
  // Who started the host said that writing is fine, and what is removed is kept; somebody who is there is asked all the same.
  if (needs('fs.delete') && changesDisk && request.canAsk) return 'delete';
  if (risk.approval === 'always') return 'risk';
  if (changesDisk && project.writes === 'ask') return 'write';
  if (changesDisk && !(risk.rollback && risk.snapshot)) return 'risk';
  return risk.approval === 'never' && risk.level === 'high' ? 'risk' : null;
}

function isChange(permissions: readonly string[]): boolean {
  return CHANGES.some((permission) => permissions.includes(permission));
}

/**
 * Whether a choice of hers can spare the question. In the app *allow* means that a change waits in a proposal; it is no
 * word on a host where the same call would reach the disk.
 */
function isFreeable(permissions: readonly string[], { writes }: PolicyProject): boolean {
  return writes === 'drafted' || !isChange(permissions);
}

function isFreed({ permissions, tool }: PolicyRequest, project: PolicyProject, settings: PolicySettings): boolean {
  return ownValue(settings.tools, tool) === 'allow' && isFreeable(permissions, project);
}

function isKnown(permissions: readonly string[], { level, approval }: Risk): boolean {
  return (
    permissions.every((permission) => KNOWN.has(permission)) &&
    ['low', 'medium', 'high'].includes(level) &&
    ['never', 'review', 'always'].includes(approval)
  );
}

/** An own property only: a tool named like a member of every object must not find a choice there. */
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
