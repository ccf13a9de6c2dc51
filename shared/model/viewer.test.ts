import { describe, expect, it } from 'vitest';
import { toViewerSection } from './viewer/viewer-section.ts';
import { VIEWERS } from './viewer/viewers.ts';
import { toParamsSchema, VIEWER_ACTION_IDS, viewerAction } from './viewer.ts';

const declared = Object.values(VIEWERS).flatMap(({ actions }) => Object.keys(actions));

describe('the viewers', () => {
  it('name each action once', () => {
    expect([...declared].sort()).toEqual([...new Set(declared)].sort());
  });

  it('list every action of the assistant in the section of the prompt', () => {
    const section = toViewerSection();
    for (const id of VIEWER_ACTION_IDS) expect(section).toContain(`- ${id}`);
  });

  it('have three actions that only look', () => {
    expect(VIEWER_ACTION_IDS.filter((id) => viewerAction(id).effect === 'reads')).toEqual([
      'describe-view',
      'list-items',
      'capture-screenshot',
    ]);
  });
});

describe('the params of an action', () => {
  const isValid = (id: Parameters<typeof toParamsSchema>[0], params: unknown) =>
    toParamsSchema(id).safeParse(params).success;

  it.each([
    ['navigate-to', { scene: 'start.txt' }, true],
    ['navigate-to', { scene: 'start.txt', line: 3 }, true],
    ['navigate-to', { line: 3 }, false],
    ['navigate-to', { scene: 'start.txt', line: '3' }, false],
    ['navigate-to', { scene: 'start.txt', line: 1.5 }, false],
    ['navigate-to', { scene: 'start.txt', other: 1 }, false],
    ['step', {}, true],
    ['step', { back: 'yes' }, false],
    ['describe-view', { scene: 'start.txt' }, false],
    ['ui:show-view', { view: 'x'.repeat(3000) }, false],
  ] as const)('%s %j', (id, params, expected) => {
    expect(isValid(id, params)).toBe(expected);
  });
});
