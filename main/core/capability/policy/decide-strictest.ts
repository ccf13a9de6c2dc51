import { decide, type PolicyDecision, type PolicyProject, type PolicyRequest, type PolicySettings } from './policy.ts';

const STRICTNESS = { ALLOW: 0, REQUIRE_CONFIRMATION: 1, DENY: 2 } as const;

/**
 * Decides a call by the name of its tool and by other names whose choices and rules hold for it, too; the strictest decision
 * counts. Another name can only tighten: what the user allows for it is not allowed for this tool.
 */
export function decideStrictest(
  request: PolicyRequest,
  others: readonly string[],
  { project, settings }: { project: PolicyProject; settings: PolicySettings },
): PolicyDecision {
  let strictest = decide(request, project, settings);
  for (const tool of others) {
    const decision = decide({ ...request, tool }, project, settings);
    if (STRICTNESS[decision.effect] <= STRICTNESS[strictest.effect]) continue;
    // “Always” would be stored for this tool and leave the other one's question.
    strictest =
      decision.effect === 'REQUIRE_CONFIRMATION'
        ? { ...decision, scope: { ...decision.scope, tool: request.tool, canAlways: false } }
        : decision;
  }
  return strictest;
}
