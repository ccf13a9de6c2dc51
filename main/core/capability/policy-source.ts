import { AppError } from '../../../shared/errors.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import type { RulesFile } from '../ports.ts';
import type { PolicyProject, PolicySettings } from './policy.ts';
import { NO_RULES, type ProjectRules, toBrokenRules, toProjectRules } from './project-rules.ts';

/** What decides calls just now: the host's own limits, tightened by the game's rules, and the writer's choices. */
export interface Policy {
  project: PolicyProject;
  settings: PolicySettings;
  /** Bytes a tool may read of one file; null for the app's own limit. */
  maxReadBytes: number | null;
}

export interface PolicySource {
  /** As last read. */
  current(): Policy;
  rules(): ProjectRules;
  /** Looks again at the game's rules and her choices. Rejects when her choices cannot be read: without them nothing runs. */
  refresh(): Promise<void>;
}

export interface PolicySourceOptions {
  rules: RulesFile;
  /** The tools that rules can be about, whether this host offers them or not. */
  tools: readonly { name: string }[];
  settings: () => Promise<Pick<Settings, 'tools' | 'developerMode'>>;
  /** What this host does with writes, and whether developer mode is on here. */
  host: (
    settings: Pick<Settings, 'developerMode'>,
  ) => Pick<PolicyProject, 'writes' | 'developerMode' | 'developerCalls'>;
  /** Hears that the game's rules are other ones now. */
  onRules?: (rules: ProjectRules) => void;
}

/** Reads rules and choices anew whenever asked, so that a change counts from the next call on. */
export async function createPolicySource(options: PolicySourceOptions): Promise<PolicySource> {
  const toolNames = options.tools.map(({ name }) => name);
  let text: string | null | undefined;
  let rules = NO_RULES;
  // Until both were read once, nothing is allowed.
  let policy: Policy = {
    project: {
      writes: 'refused',
      developerMode: false,
      closedFolders: [],
      broken: toBrokenRules('rules.unreadable', 'they were not read yet').broken,
    },
    settings: { tools: {} },
    maxReadBytes: null,
  };

  async function readRules(): Promise<void> {
    let now: string | null;
    let broken: ProjectRules | null = null;
    try {
      now = await options.rules.read();
    } catch (error) {
      const problem = error instanceof AppError ? error.message : 'it cannot be read';
      broken = toBrokenRules('rules.unreadable', problem);
      now = `\u0000${problem}`;
    }
    if (now === text) return;
    const isFirst = text === undefined;
    text = now;
    rules = broken ?? (now === null ? NO_RULES : toProjectRules(now, toolNames));
    if (!isFirst || now !== null) options.onRules?.(rules);
  }

  async function refresh(): Promise<void> {
    const [settings] = await Promise.all([options.settings(), readRules()]);
    const host = options.host(settings);
    const { closedFolders, tools, noDeveloperMode, allowedCommands, broken, maxReadBytes } = rules;
    policy = {
      project: {
        ...host,
        developerMode: host.developerMode && !noDeveloperMode,
        closedFolders,
        tools,
        allowedCommands: allowedCommands ?? undefined,
        broken,
      },
      settings: { tools: settings.tools },
      maxReadBytes,
    };
  }

  // A game opens all the same: each call looks again, and is refused while this fails.
  await refresh().catch(() => undefined);
  return { current: () => policy, rules: () => rules, refresh };
}
