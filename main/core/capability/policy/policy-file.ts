import { z } from 'zod';
import { ToolChoice, ToolName } from '../../../../shared/model/capability.ts';
import { isForbiddenName } from '../../../../shared/paths/portable-name.ts';
import { toProjectPath } from '../../../../shared/paths/project-path.ts';
import { FOREIGN_JSON, parseBoundedJson } from '../../../../shared/text/bounded-json.ts';

/** The policy file of a game, relative to the project. No tool can access its folder. */
export const POLICY_FILE = '.webgal_agent/policy.json';

/** Why a policy file is invalid. `reason` is the message key for the user (`errors:<reason>`), `problem` is for the model. */
export interface BrokenPolicy {
  file: string;
  line: number | null;
  key: string | null;
  problem: string;
  reason: 'rules.syntax' | 'rules.unknownKey' | 'rules.badValue' | 'rules.badFolder' | 'rules.unreadable';
}

/** The restrictions of a policy file. */
export interface ProjectPolicy {
  closedFolders: readonly string[];
  tools: Readonly<Record<string, 'ask' | 'never'>>;
  /** True when developer mode is disabled. */
  noDeveloperMode: boolean;
  maxReadBytes: number | null;
  /** The only scripts that may run; null without a restriction. */
  allowedCommands: readonly string[] | null;
  /** Ignored keys: they would loosen something or have no meaning here. */
  ignored: readonly string[];
  /** Set when the file is invalid; all other fields are meaningless then. */
  broken: BrokenPolicy | null;
}

export const NO_POLICY: ProjectPolicy = {
  closedFolders: [],
  tools: {},
  noDeveloperMode: false,
  maxReadBytes: null,
  allowedCommands: null,
  ignored: [],
  broken: null,
};

const names = z.array(z.string().min(1).max(500)).max(1000);

/** The shape of the tool contract with this app's additions. Unknown keys are rejected, because a misspelt one would have no effect. */
const PolicyFileText = z.strictObject({
  contractVersion: z
    .string()
    .regex(/^1\.\d+\.\d+$/, 'expected a version 1.x.y')
    .optional(),
  mode: z.string().max(100).optional(),
  policies: z
    .strictObject({
      sandboxRoot: z.string().max(500).optional(),
      forbiddenDirs: names.optional(),
      tools: z.record(ToolName, ToolChoice).optional(),
      developerMode: z.boolean().optional(),
      maxReadBytes: z.int().min(1).optional(),
      allowedCommands: names.optional(),
      browserAllowedHosts: names.optional(),
      writeRequiresDiff: z.boolean().optional(),
      maxAutoFix: z.int().min(0).optional(),
      batchMaxLines: z.int().min(1).optional(),
    })
    .optional(),
});

/** The only reachable hosts, whatever a game lists. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1']);
const SCRIPTS: ReadonlySet<string> = new Set(['dev', 'build', 'lint']);
/** The app's read limit in bytes; a larger value is ignored. */
const OWN_READ_LIMIT = 5 * 1024 * 1024;

/** Returns restrictions that close everything. */
export function toBrokenPolicy(
  reason: BrokenPolicy['reason'],
  problem: string,
  where: { line?: number | null; key?: string } = {},
): ProjectPolicy {
  const { line = null, key = null } = where;
  return { ...NO_POLICY, broken: { file: POLICY_FILE, line, key, problem, reason } };
}

/**
 * Parses a policy file. Pure; never throws: an invalid file gives `broken`, with the line if known. `toolNames` are all existing
 * tools; an entry for another name is invalid.
 */
export function toProjectPolicy(text: string, toolNames: readonly string[]): ProjectPolicy {
  let parsed: unknown;
  try {
    parsed = parseBoundedJson(text.replace(/^\uFEFF/, ''), FOREIGN_JSON);
  } catch (error) {
    return toBrokenPolicy('rules.syntax', 'it is not valid JSON', { line: toSyntaxLine(text, error) });
  }
  const file = PolicyFileText.safeParse(parsed);
  if (!file.success) {
    const [issue] = file.error.issues;
    const isUnknown = issue?.code === 'unrecognized_keys';
    const at = isUnknown ? issue.keys[0] : issue?.path.findLast((part) => typeof part === 'string');
    if (at === undefined) return toBrokenPolicy('rules.syntax', 'it is not an object', { line: 1 });
    const key = String(at).slice(0, 60);
    const where = { key, line: toLineOf(text, String(at)) };
    return isUnknown
      ? toBrokenPolicy('rules.unknownKey', `"${key}" is no known rule`, where)
      : toBrokenPolicy('rules.badValue', `"${key}" has a value that fits no rule`, where);
  }
  const policies = file.data.policies ?? {};
  const ignored: string[] = [];
  const closedFolders: string[] = [];
  for (const entry of policies.forbiddenDirs ?? []) {
    const folder = entry.replace(/\/+$/, '');
    if (folder.split('/').some(isForbiddenName)) continue; // Closed in any case.
    try {
      closedFolders.push(toProjectPath(folder));
    } catch {
      // An invalid folder name would close nothing; report it instead of ignoring a possibly mistyped restriction.
      const key = entry.slice(0, 60);
      return toBrokenPolicy('rules.badFolder', `"${key}" is no folder of the game`, {
        key,
        line: toLineOf(text, entry),
      });
    }
  }
  const tools: Record<string, 'ask' | 'never'> = {};
  for (const [name, choice] of Object.entries(policies.tools ?? {})) {
    // A tool of another program may be connected later; the rule holds from then on.
    if (!toolNames.includes(name) && !/^ext(?:_|$)/.test(name)) {
      const key = name.slice(0, 60);
      return toBrokenPolicy('rules.unknownKey', `"${key}" is no tool`, { key, line: toLineOf(text, name) });
    }
    if (choice === 'allow') ignored.push(`tools.${name}`);
    else tools[name] = choice;
  }
  if (policies.developerMode === true) ignored.push('developerMode');
  if (policies.writeRequiresDiff === false) ignored.push('writeRequiresDiff');
  for (const key of ['maxAutoFix', 'batchMaxLines'] as const) if (policies[key] !== undefined) ignored.push(key);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the contract writes the project's root like this
  if (policies.sandboxRoot !== undefined && !['${projectRoot}', '.', './'].includes(policies.sandboxRoot)) {
    ignored.push('sandboxRoot');
  }
  if (policies.maxReadBytes !== undefined && policies.maxReadBytes > OWN_READ_LIMIT) ignored.push('maxReadBytes');
  if (policies.allowedCommands?.some((name) => !SCRIPTS.has(name))) ignored.push('allowedCommands');
  const hosts = policies.browserAllowedHosts;
  if (hosts?.some((host) => !LOOPBACK.has(host))) ignored.push('browserAllowedHosts');
  if (hosts && !hosts.some((host) => LOOPBACK.has(host))) tools.browser_action = 'never';
  return {
    closedFolders,
    tools,
    noDeveloperMode: policies.developerMode === false,
    maxReadBytes: policies.maxReadBytes === undefined ? null : Math.min(policies.maxReadBytes, OWN_READ_LIMIT),
    allowedCommands: policies.allowedCommands?.filter((name) => SCRIPTS.has(name)) ?? null,
    ignored,
    broken: null,
  };
}

/** Returns the line of a syntax error from the message of the JavaScript engine (position or excerpt); null if unknown. */
function toSyntaxLine(text: string, error: unknown): number | null {
  const words = error instanceof Error ? error.message : '';
  const position = /\bposition (\d+)/.exec(words)?.[1];
  if (position !== undefined) return toLine(text, Number(position));
  if (/end of/i.test(words)) return toLine(text, text.trimEnd().length);
  const around = /^Unexpected token '(.+?)', (?:\.\.\.)?"(.*?)"(?:\.\.\.)? is not valid JSON$/s.exec(words);
  const [, token = '', snippet = ''] = around ?? [];
  const start = snippet === '' ? -1 : text.indexOf(snippet);
  // The message quotes ten characters on either side.
  return start === -1
    ? null
    : toLine(text, start + Math.max(0, snippet.indexOf(token, Math.min(10, snippet.length - 1))));
}

function toLineOf(text: string, key: string): number | null {
  const position = text.indexOf(JSON.stringify(key));
  return position === -1 ? null : toLine(text, position);
}

function toLine(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}
