import { z } from 'zod';
import { type TitledTool, toolText } from '../../../shared/i18n/tools.ts';
import type { Risk } from '../../core/capability/define-tool.ts';

/*
 * What tools of one kind have in common. A declaration spreads a preset first; its own fields replace those of the preset.
 * No preset of a tool with access to files has `paths`: the policy and the audit log depend on them, so each tool gives its own.
 */

const HARMLESS: Risk = {
  ...{ level: 'low', reason: 'reads' },
  ...{ rollback: false, snapshot: false, approval: 'never', audit: 'basic' },
};
const REVIEWED: Risk = {
  ...{ level: 'medium', reason: 'changesText' },
  ...{ rollback: true, snapshot: true, approval: 'review', audit: 'full' },
};
const ASKED: Risk = {
  ...{ level: 'high', reason: 'program' },
  ...{ rollback: false, snapshot: false, approval: 'always', audit: 'full' },
};

/** A tool that reads the game and changes nothing. */
export function readTool(name: TitledTool, risk: Partial<Risk> = {}) {
  return {
    ...toTitled(name),
    type: 'context',
    permissions: ['fs.read'],
    sideEffects: 'none',
    risk: { ...HARMLESS, ...risk },
    rateLimit: 300,
    timeout: 30_000,
    inPlan: true,
  } as const;
}

/** A tool that drafts into the proposal, or writes over MCP; the texts before are snapshotted. */
export function editTool(name: TitledTool, risk: Partial<Risk> = {}) {
  return {
    ...toTitled(name),
    type: 'action',
    permissions: ['fs.read', 'fs.write'],
    inChat: 'drafted',
    sideEffects: 'Drafts or writes one text file; the text before is snapshotted.',
    risk: { ...REVIEWED, ...risk },
    rateLimit: 60,
    timeout: 30_000,
    inPlan: false,
  } as const;
}

/** A tool of developer mode, whose effects cannot be undone. */
export function commandTool(name: TitledTool, risk: Partial<Risk> = {}) {
  return {
    ...toTitled(name),
    type: 'action',
    risk: { ...ASKED, ...risk },
    rateLimit: 60,
    timeout: 60_000,
    inPlan: false,
  } as const;
}

/** A tool whose arguments are a message for the chat; it has no other effect. */
export function talkTool(name: TitledTool) {
  return {
    ...toTitled(name),
    type: 'action',
    inChat: 'text',
    output: z.object({ ack: z.literal(true) }),
    permissions: [],
    risk: { ...HARMLESS, reason: 'talks' },
    rateLimit: 60,
    timeout: 10_000,
    needs: [],
    inPlan: true,
    paths: () => [],
    handler: async () => ({ ack: true as const }),
  } as const;
}

function toTitled(name: TitledTool) {
  return { name, title: toolText(`${name}.title`), about: toolText(`${name}.about`) };
}
