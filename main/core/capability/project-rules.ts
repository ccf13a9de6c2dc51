import { z } from 'zod';
import { ToolChoice, ToolName } from '../../../shared/model/capability.ts';
import { isForbiddenName } from '../../../shared/model/portable-name.ts';
import { toProjectPath } from '../../../shared/model/project-path.ts';

/** Where a game keeps rules of its own, relative to the project. No tool can name a file there. */
export const RULES_FILE = '.webgal_agent/policy.json';

/** Why rules cannot be understood. `reason` names the sentence for her (`errors:<reason>`), `problem` is for the model. */
export interface BrokenRules {
  file: string;
  line: number | null;
  key: string | null;
  problem: string;
  reason: 'rules.syntax' | 'rules.unknownKey' | 'rules.badValue' | 'rules.badFolder' | 'rules.unreadable';
}

/** What a game's own rules tighten. */
export interface ProjectRules {
  closedFolders: readonly string[];
  tools: Readonly<Record<string, 'ask' | 'never'>>;
  /** True when the rules switch developer mode off. */
  noDeveloperMode: boolean;
  maxReadBytes: number | null;
  /** The only scripts that may run; null when the rules say nothing. */
  allowedCommands: readonly string[] | null;
  /** Keys that would have loosened something, or mean nothing here; they count for nothing. */
  ignored: readonly string[];
  /** Set when the file cannot be understood; nothing else of it counts then. */
  broken: BrokenRules | null;
}

export const NO_RULES: ProjectRules = {
  closedFolders: [],
  tools: {},
  noDeveloperMode: false,
  maxReadBytes: null,
  allowedCommands: null,
  ignored: [],
  broken: null,
};

const names = z.array(z.string().min(1).max(500)).max(1000);

/** The tool contract's shape (§6), with what this app adds. Unknown keys are refused: a rule that is misspelt would not hold. */
const RulesFile = z.strictObject({
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

/** Nothing beyond these can be reached, whatever a game says. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1']);
const SCRIPTS: ReadonlySet<string> = new Set(['dev', 'build', 'lint']);
/** Far above what a tool reads anyway: a larger limit would loosen. */
const OWN_READ_LIMIT = 5 * 1024 * 1024;

/** Rules that stop everything. */
export function toBrokenRules(
  reason: BrokenRules['reason'],
  problem: string,
  where: { line?: number | null; key?: string } = {},
): ProjectRules {
  const { line = null, key = null } = where;
  return { ...NO_RULES, broken: { file: RULES_FILE, line, key, problem, reason } };
}

/**
 * Reads a game's rules. Pure; never throws: what cannot be understood becomes `broken`, with the line where it can be told.
 * `toolNames` are all there are: a rule about another one would hold nothing.
 */
export function toProjectRules(text: string, toolNames: readonly string[]): ProjectRules {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return toBrokenRules('rules.syntax', 'it is not valid JSON', { line: toSyntaxLine(text, error) });
  }
  const file = RulesFile.safeParse(parsed);
  if (!file.success) {
    const [issue] = file.error.issues;
    const isUnknown = issue?.code === 'unrecognized_keys';
    const at = isUnknown ? issue.keys[0] : issue?.path.findLast((part) => typeof part === 'string');
    if (at === undefined) return toBrokenRules('rules.syntax', 'it is not an object', { line: 1 });
    const key = String(at).slice(0, 60);
    const where = { key, line: toLineOf(text, String(at)) };
    return isUnknown
      ? toBrokenRules('rules.unknownKey', `"${key}" is no known rule`, where)
      : toBrokenRules('rules.badValue', `"${key}" has a value that fits no rule`, where);
  }
  const rules = file.data.policies ?? {};
  const ignored: string[] = [];
  const closedFolders: string[] = [];
  for (const entry of rules.forbiddenDirs ?? []) {
    const folder = entry.replace(/\/+$/, '');
    if (folder.split('/').some(isForbiddenName)) continue; // Off limits anyway.
    try {
      closedFolders.push(toProjectPath(folder));
    } catch {
      // A folder nobody can name is closed as it is; a rule that may have meant another one must not pass unseen.
      const key = entry.slice(0, 60);
      return toBrokenRules('rules.badFolder', `"${key}" is no folder of the game`, {
        key,
        line: toLineOf(text, entry),
      });
    }
  }
  const tools: Record<string, 'ask' | 'never'> = {};
  for (const [name, choice] of Object.entries(rules.tools ?? {})) {
    if (!toolNames.includes(name)) {
      const key = name.slice(0, 60);
      return toBrokenRules('rules.unknownKey', `"${key}" is no tool`, { key, line: toLineOf(text, name) });
    }
    if (choice === 'allow') ignored.push(`tools.${name}`);
    else tools[name] = choice;
  }
  if (rules.developerMode === true) ignored.push('developerMode');
  if (rules.writeRequiresDiff === false) ignored.push('writeRequiresDiff');
  for (const key of ['maxAutoFix', 'batchMaxLines'] as const) if (rules[key] !== undefined) ignored.push(key);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the contract writes the project's root like this
  if (rules.sandboxRoot !== undefined && !['${projectRoot}', '.', './'].includes(rules.sandboxRoot)) {
    ignored.push('sandboxRoot');
  }
  if (rules.maxReadBytes !== undefined && rules.maxReadBytes > OWN_READ_LIMIT) ignored.push('maxReadBytes');
  if (rules.allowedCommands?.some((name) => !SCRIPTS.has(name))) ignored.push('allowedCommands');
  const hosts = rules.browserAllowedHosts;
  if (hosts?.some((host) => !LOOPBACK.has(host))) ignored.push('browserAllowedHosts');
  if (hosts && !hosts.some((host) => LOOPBACK.has(host))) tools.browser_action = 'never';
  return {
    closedFolders,
    tools,
    noDeveloperMode: rules.developerMode === false,
    maxReadBytes: rules.maxReadBytes === undefined ? null : Math.min(rules.maxReadBytes, OWN_READ_LIMIT),
    allowedCommands: rules.allowedCommands?.filter((name) => SCRIPTS.has(name)) ?? null,
    ignored,
    broken: null,
  };
}

/** Where parsing stumbled, as the engine's message tells: by position, or by the text around. Null when it does not. */
function toSyntaxLine(text: string, error: unknown): number | null {
  const words = error instanceof Error ? error.message : '';
  const position = /\bposition (\d+)/.exec(words)?.[1];
  if (position !== undefined) return toLine(text, Number(position));
  if (/end of/i.test(words)) return toLine(text, text.trimEnd().length);
  const around = /^Unexpected token '(.+?)', (?:\.\.\.)?"(.*?)"(?:\.\.\.)? is not valid JSON$/s.exec(words);
  const [, token = '', snippet = ''] = around ?? [];
  const start = snippet === '' ? -1 : text.indexOf(snippet);
  // The engine shows ten characters on either side.
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
