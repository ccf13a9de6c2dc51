import type { Output } from '../../../shared/contract.ts';
import type { ToolRunner } from '../services.ts';
import type { ToolSource } from './catalog/capability-set.ts';
import type { ToolPorts } from './define-tool.ts';
import { findChangedParts } from './external/declaration.ts';
import { POLICY_FILE, type ProjectPolicy } from './policy/policy-file.ts';
import type { PolicySource } from './policy/policy-source.ts';
import { toToolFacts } from './policy/to-tool-facts.ts';
import { hasPorts } from './runner/granted-ports.ts';

/** Provides pages with the tools of the open game. */
export interface ToolService {
  list(): Promise<Output<'tools.list'>>;
  /** Offers the open conversation the tools that exist now. */
  renew(): Output<'tools.renew'>;
  /** What changed since the open conversation was offered its tools. */
  pending(): Output<'tools.pending'>;
}

export function createToolService(
  tools: ToolSource,
  {
    ports,
    policy,
    runner,
  }: { ports: Partial<ToolPorts>; policy: PolicySource; runner: Pick<ToolRunner, 'renew' | 'pending'> },
): ToolService {
  return {
    renew: () => runner.renew?.() ?? { added: [], removed: [], leftOut: [] },
    pending: () => runner.pending?.() ?? { added: 0, removed: 0, changed: 0 },
    async list() {
      await policy.refresh();
      const current = policy.current();
      return {
        tools: await Promise.all(
          tools.current().map(async (tool) => {
            const isWithdrawn = (await findChangedParts(tool, current.settings)) !== undefined;
            return toToolFacts(tool, current, { isAvailable: hasPorts(tool, ports), isWithdrawn });
          }),
        ),
        policy: toPolicyFacts(policy.projectPolicy()),
      };
    },
  };
}

/** Returns null for a game without a policy file. */
function toPolicyFacts(policy: ProjectPolicy): Output<'tools.list'>['policy'] {
  const { ignored, closedFolders, tools, noDeveloperMode, maxReadBytes, allowedCommands, broken } = policy;
  const says = broken !== null || noDeveloperMode || maxReadBytes !== null || allowedCommands !== null;
  if (!says && ignored.length + closedFolders.length + Object.keys(tools).length === 0) return null;
  return {
    file: POLICY_FILE,
    ignored: [...ignored],
    closedFolders: [...closedFolders],
    noDeveloperMode,
    broken: broken && { line: broken.line, reason: broken.reason, key: broken.key },
  };
}
