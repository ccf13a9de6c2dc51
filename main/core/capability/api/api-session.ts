import type { Reader } from '../../ports/reader.ts';
import type { ApprovalStore } from '../../ports/stores/approval-store.ts';
import type { ProposalService, ToolRunner } from '../../services.ts';
import { toTextVersion } from '../../text/text-version.ts';
import { type Approvals, createApprovals } from '../approvals/approvals.ts';
import type { CapabilitySet } from '../catalog/capability-set.ts';
import { toView } from '../catalog/capability-view.ts';
import type { ToolChange, ToolWriter } from '../define-tool.ts';
import { toClientTools } from '../model-face.ts';
import type { PolicySource } from '../policy/policy-source.ts';
import { createToolRunner } from '../runner/run-tool.ts';
import type { ToolRunnerOptions } from '../runner/runner-options.ts';
import type { ApiCall } from './api-service.ts';

interface ApiSessionOptions extends Omit<ToolRunnerOptions, 'tools' | 'caller' | 'isStrict' | 'policy' | 'refresh'> {
  capabilities: CapabilitySet;
  policy: PolicySource;
  /** Where calls wait for the user. */
  approvalStore: ApprovalStore;
  onApprovals: () => void;
  onError: (fault: { where: string; error: unknown }) => void;
}

/** The calls of other programs to one open game, and those of them that wait for the user. */
export interface ApiSession {
  call: ApiCall;
  approvals: Approvals;
  dispose(): void;
}

/** The calls of other programs to one open game. They obey the game's rules, and what they write waits in a proposal. */
export function createApiSession({ capabilities: all, policy, ...options }: ApiSessionOptions): ApiSession {
  const capabilities = toView(all, toClientTools);
  const { approvalStore: store, audit, clock, onApprovals: onChange, onError: onFault } = options;
  const approvals = createApprovals({
    ...{ store, audit, clock, onChange, onFault },
    run: (call) => runner.run(call),
    isThere: (tool) => capabilities.current().some(({ name }) => name === tool),
    async roleNow(from) {
      await policy.refresh();
      return policy.current().roles[from];
    },
  });
  const runner: ToolRunner = createToolRunner({
    ...options,
    tools: capabilities,
    isStrict: true,
    caller: () => ({ type: 'client', id: 'api', role: policy.current().roles.api }),
    policy: policy.current,
    refresh: policy.refresh,
    postpone: approvals.postpone,
  });
  const call: ApiCall = async ({ capabilityId, version, parameters, context }, signal) => {
    const name = capabilities.current().find(({ capability }) => capability === capabilityId)?.name ?? capabilityId;
    await policy.refresh().catch(() => undefined);
    const { roles } = policy.current();
    const claimed = context?.caller;
    return runner.run({
      ...{ id: options.clock.id(), name, input: parameters, mode: 'act', signal },
      trace: context?.traceId === undefined ? options.clock.id() : await toTrace(context.traceId),
      ...(version !== undefined && { version }),
      caller: { type: 'client', id: 'api', role: roles.api, ...(claimed !== undefined && { name: claimed }) },
    });
  };
  // What was approved before the app ended; the game opens meanwhile.
  void approvals.resume().catch((error: unknown) => onFault({ where: 'approvals', error }));
  const follow = (): void => {
    onChange();
    void approvals.storeChanged();
  };
  const stops = [all.on(() => void approvals.toolsCame()), store.watch(follow)];
  const dispose = (): void => {
    for (const stop of stops) stop();
  };
  return { call, approvals, dispose };
}

/** An id, rather than words. */
const PLAIN_ID = /^(?=.*\d)[\w.:-]{1,64}$/;

/** Returns the id of a caller for its work as the audit log may hold it: words, which could be text of the game, as their hash. */
async function toTrace(traceId: string): Promise<string> {
  return PLAIN_ID.test(traceId) ? traceId : (await toTextVersion(traceId)).version;
}

/** Returns a writer whose changes wait for the review of the user, like those that the user makes to several files. */
export function createReviewWriter(proposals: ProposalService, reader: Reader): ToolWriter {
  async function propose(changes: readonly ToolChange[]): Promise<void> {
    const drafts = await Promise.all(
      changes.map(async ({ path, text, base }) => {
        const before = base === null ? null : (await reader.read(path)).text;
        return { path, text, base, before };
      }),
    );
    await proposals.propose(
      changes
        .map(({ path }) => path)
        .join(', ')
        .slice(0, 200),
      drafts,
    );
  }
  return {
    async write(change) {
      await propose([change]);
      return { applied: false, drafted: true };
    },
    async writeAll(changes) {
      await propose(changes);
      return changes.map(() => ({ applied: false, drafted: true }));
    },
  };
}
