import { describe, expect, it } from 'vitest';
import type { ChatItem } from '../../../shared/model/chat.ts';
import { toTourStep } from './tour-step.ts';

const ASSESSMENT: Extract<ChatItem, { kind: 'plan' }>['assessment'] = {
  ...{ execution_tier: 'needs_confirm', validation_errors: [], validation_warnings: [], missing_fields: [] },
  unsafe_steps: [],
  safety_assessment: { world_damage_risk: 'low', reversibility: true, requires_confirmation: true },
};

const base = { turn: 't', at: 0 };
const plan = (state: 'ready' | 'done'): ChatItem => ({
  ...base,
  id: 'p',
  kind: 'plan',
  text: '',
  steps: [],
  assessment: ASSESSMENT,
  check: null,
  saved: 'p',
  state,
});
const review = (state: 'pending' | 'accepted' | 'rejected'): ChatItem => ({
  ...base,
  id: 'r',
  kind: 'review',
  proposal: 'x',
  state,
  files: [],
});

describe('the guided tour', () => {
  it('goes from request, plan and review to the revert', () => {
    expect([
      toTourStep([], 'idle', false),
      toTourStep([], 'model', false),
      toTourStep([plan('ready')], 'idle', false),
      toTourStep([plan('done')], 'tool', false),
      toTourStep([plan('done'), review('pending')], 'review', false),
      toTourStep([plan('done'), review('accepted')], 'idle', false),
      toTourStep([plan('done'), review('accepted')], 'idle', true),
    ]).toEqual(['ask', 'wait', 'plan', 'wait', 'review', 'back', 'done']);
  });

  it('restarts after a rejection without a new proposal', () => {
    expect(toTourStep([plan('done'), review('rejected')], 'idle', false)).toBe('ask');
  });
});
