/** Reasons for a question. */
export const CONFIRMATION_REASONS = [
  'risk',
  'settings',
  'project',
  'write',
  'delete',
  'command',
  'script',
  'declaration',
  'unrecorded',
  'unknown',
] as const;
export type ConfirmationReason = (typeof CONFIRMATION_REASONS)[number];

/** Reasons for a refusal: keys of messages on the page. */
export type DenialReason =
  | 'tool.off'
  | 'tool.role'
  | 'tool.providerRole'
  | 'tool.rulesBroken'
  | 'tool.offByRules'
  | 'tool.developerOnly'
  | 'tool.commandClosed'
  | 'tool.folderClosed'
  | 'tool.planOnly'
  | 'tool.readOnly'
  | 'tool.scriptIsNew'
  | 'tool.nobodyToAsk';
