import { createAudit } from '../../main/core/capability/audit/audit.ts';
import type { Tool, ToolPorts } from '../../main/core/capability/define-tool.ts';
import { toModelTools } from '../../main/core/capability/model-face.ts';
import type { Confirm } from '../../main/core/capability/runner/confirm.ts';
import { createToolRunner } from '../../main/core/capability/runner/run-tool.ts';
import type { ToolOutcome } from '../../main/core/services.ts';
import type { ToolChoice } from '../../shared/model/capability.ts';
import type { ChatMode } from '../../shared/model/chat.ts';

/** Creates a runner that calls tools through the whole pipeline with the given ports. */
export function createToolBench(
  tools: readonly Tool[],
  ports: Partial<ToolPorts>,
  host: {
    developerMode?: boolean;
    confirm?: Confirm;
    locale?: 'zh-CN' | 'en';
    mode?: ChatMode;
    closedFolders?: string[];
    /** Offers the tools as to the app's own model, in one conversation. */
    forModel?: boolean;
    /** The user's choices by tool. */
    choices?: Record<string, ToolChoice>;
  } = {},
) {
  const lines: unknown[] = [];
  let calls = 0;
  /** The versions that the conversation was shown, as the session log keeps them. */
  const seen = new Map<string, string>();
  const runner = createToolRunner({
    tools: host.forModel ? toModelTools(tools) : tools,
    ports,
    audit: createAudit({
      append: async (entry) => void lines.push(entry),
      ready: async () => ({ setAside: null }),
    }),
    caller: () => ({ type: 'model', id: 'assistant', role: 'owner' }),
    policy: () => ({
      project: {
        writes: 'drafted',
        developerMode: host.developerMode ?? false,
        closedFolders: host.closedFolders ?? [],
      },
      settings: { tools: host.choices ?? {} },
    }),
    ...(host.confirm && { confirm: host.confirm }),
    locale: () => host.locale ?? 'en',
    // The clock advances a minute with each call, so that no test reaches the rate limit.
    clock: { now: () => ++calls * 60_000, id: () => `id-${calls}` },
  });
  const call = async (name: string, input: unknown): Promise<ToolOutcome> => {
    const signal = new AbortController().signal;
    const ids = { id: `call-${calls}`, mode: host.mode ?? 'act', trace: 'turn' } as const;
    const outcome = await runner.run({ ...ids, name, input, signal, ...(host.forModel && { seen }) });
    for (const [path, version] of Object.entries(outcome.seen ?? {})) {
      if (version === null) seen.delete(path);
      else seen.set(path, version);
    }
    return outcome;
  };
  return {
    runner,
    call,
    /** Starts another conversation. */
    forget: () => seen.clear(),
    /** The lines of the audit log. */
    lines,
    /** Runs a call that must succeed and returns its value. */
    async value(name: string, input: unknown): Promise<unknown> {
      const outcome = await call(name, input);
      if (!outcome.ok) throw new Error(`${name}: ${outcome.error?.code} ${outcome.error?.message}`);
      return outcome.value;
    },
    /** Runs a call that must fail and returns its error code. */
    async code(name: string, input: unknown): Promise<string | undefined> {
      return (await call(name, input)).error?.code;
    },
  };
}
