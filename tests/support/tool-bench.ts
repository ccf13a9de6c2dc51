import { createAudit } from '../../main/core/capability/audit/audit.ts';
import type { Tool, ToolPorts } from '../../main/core/capability/define-tool.ts';
import type { Confirm } from '../../main/core/capability/runner/confirm.ts';
import { createToolRunner } from '../../main/core/capability/runner/run-tool.ts';
import type { ToolOutcome } from '../../main/core/services.ts';

/** Creates a runner that calls tools through the whole pipeline with the given ports. */
export function createToolBench(
  tools: readonly Tool[],
  ports: Partial<ToolPorts>,
  host: { developerMode?: boolean; confirm?: Confirm; locale?: 'zh-CN' | 'en'; closedFolders?: string[] } = {},
) {
  const lines: unknown[] = [];
  let calls = 0;
  const runner = createToolRunner({
    tools,
    ports,
    audit: createAudit({
      append: async (entry) => void lines.push(entry),
      ready: async () => ({ setAside: null }),
    }),
    policy: () => ({
      project: {
        writes: 'drafted',
        developerMode: host.developerMode ?? false,
        closedFolders: host.closedFolders ?? [],
      },
      settings: { tools: {} },
    }),
    ...(host.confirm && { confirm: host.confirm }),
    locale: () => host.locale ?? 'en',
    // The clock advances a minute with each call, so that no test reaches the rate limit.
    clock: { now: () => ++calls * 60_000, id: () => `id-${calls}` },
  });
  const call = (name: string, input: unknown): Promise<ToolOutcome> =>
    runner.run({ id: `call-${calls}`, name, input, mode: 'act', trace: 'turn', signal: new AbortController().signal });
  return {
    runner,
    call,
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
