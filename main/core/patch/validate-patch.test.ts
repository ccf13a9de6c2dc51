import { describe, expect, it } from 'vitest';
import type { PatchOperation, PlanStep, StepType } from '../../../shared/model/plan/patch.ts';
import { createMemoryDisk } from '../../../tests/support/chat-kit.ts';
import { assessPlan } from './assess-plan.ts';
import { PlanInput, toProposedSteps } from './plan-input.ts';
import { checkPlainLine } from './rules/line-issues.ts';
import { toPlanSteps, toProseSteps } from './to-plan-steps.ts';
import { validatePlan } from './validate-plan.ts';

const START = 'game/scene/start.txt';
const CONFIG = 'game/config.txt';
const FILES = {
  [CONFIG]: 'Game_name:Rain;\n',
  [START]:
    'changeBg:sea.webp -next;\nYuki:Shall we go to the sea today, or not?;\nsetVar:mood=1;\nchangeScene:inn.txt;\n',
  'game/scene/inn.txt': ':An inn by the sea, with an open door.;\nYuki:Good night.;\nend;\n',
  'game/scene/alone.txt': ':No way leads here.;\nend;\n',
  'game/background/sea.webp': '',
};

const insert = (text: string, path = START): PatchOperation => ({ op: 'insert', path, expect: 'setVar:mood=1;', text });

function toStep(
  type: StepType,
  operations: PatchOperation[],
  more: Partial<PlanStep> = {},
  resource?: string,
): PlanStep {
  const path = resource ?? operations[0]?.path ?? START;
  const [step] = toPlanSteps([{ type, summary: 'A step', path, risk: 'low', missing: [], operations, notes: [] }], 's');
  if (!step) throw new Error('no step');
  return { ...step, ...more };
}

async function validate(...steps: PlanStep[]): Promise<PlanStep[]> {
  return validatePlan(steps, { reader: createMemoryDisk(FILES).reader });
}
const check = async (step: PlanStep) => (await validate(step))[0]?.validation;
const scene = async (...operations: PatchOperation[]) => check(toStep('scene_edit', operations));

describe('step types', () => {
  it('scene_edit runs alone when it is valid and has no placeholders', async () => {
    const [step] = await validate(toStep('scene_edit', [insert('Yuki:It rains. {mood};')]));
    expect(step).toMatchObject({
      status: 'resolved',
      validation: { execution_tier: 'safe_auto', errors: [], warnings: [] },
    });
  });

  it('asset_binding asks, and its file has to exist', async () => {
    const line = [insert('changeBg:sea.webp -next;')];
    expect(await check(toStep('asset_binding', line, {}, 'game/background/sea.webp'))).toMatchObject({
      execution_tier: 'needs_confirm',
    });
    expect(await check(toStep('asset_binding', line, {}, 'game/background/gone.webp'))).toMatchObject({
      execution_tier: 'blocked',
      missing_fields: ['asset:game/background/gone.webp'],
    });
  });

  it('character_definition never runs alone', async () => {
    expect(await check(toStep('character_definition', [insert('Mei:Hello.;')]))).toMatchObject({
      execution_tier: 'needs_confirm',
    });
  });

  it('manual_review never runs, whatever it holds', async () => {
    const [step] = await validate(toStep('manual_review', [insert('Yuki:Hi.;')], { approved: true }));
    expect(step).toMatchObject({ status: 'draft', validation: { execution_tier: 'blocked', errors: ['review'] } });
  });

  it('custom_command stays a draft until the user arranged it', async () => {
    const change: PatchOperation = { op: 'config', path: CONFIG, key: 'Game_name', expect: 'Rain', value: 'Snow' };
    const [step] = await validate(toStep('custom_command', [change]));
    expect(step).toMatchObject({ status: 'draft', validation: { execution_tier: 'blocked', errors: ['arrange'] } });
    expect(await check(toStep('custom_command', [change], { approved: true }))).toMatchObject({
      execution_tier: 'needs_confirm',
    });
  });

  it.each<PatchOperation>([
    { op: 'delete', path: 'game/scene/alone.txt', expect: '' },
    { op: 'rename', path: 'game/scene/alone.txt', to: 'game/scene/two.txt', expect: '' },
    { op: 'config', path: CONFIG, key: 'Game_name', expect: 'Rain', value: 'Snow' },
  ])('no other type may hold $op', async (operation) => {
    expect(await scene(operation)).toMatchObject({
      execution_tier: 'blocked',
      errors: [expect.stringMatching(/^type:/)],
    });
  });
});

describe('a template', () => {
  it('names its resource in the first three types', async () => {
    const step = toStep('scene_edit', [insert('Yuki:Hi.;')]);
    const { resource_id: _gone, ...metadata } = step.patch.metadata;
    const bare = { ...step, patch: { ...step.patch, metadata } };
    expect(await check(bare)).toMatchObject({ missing_fields: ['resource_id'], execution_tier: 'needs_confirm' });
  });

  it('cannot say its own tier', async () => {
    const lie = {
      errors: [],
      warnings: [],
      execution_tier: 'safe_auto' as const,
      missing_fields: [],
      unsafe_placeholders: [],
    };
    const step = toStep('scene_edit', [insert('callSteam:1 -achievementId=x;')], {
      validation: lie,
      status: 'resolved',
    });
    expect((await validate(step))[0]).toMatchObject({
      status: 'needs_review',
      validation: { execution_tier: 'blocked' },
    });
  });

  it('waits for the answers to its questions', async () => {
    const [step] = toPlanSteps(
      [
        {
          type: 'scene_edit',
          summary: 'x',
          path: START,
          risk: 'low',
          missing: ['Who?'],
          operations: [insert('Yuki:Hi.;')],
          notes: [],
        },
      ],
      's',
    );
    if (!step) throw new Error('no step');
    expect(await check(step)).toMatchObject({ execution_tier: 'needs_confirm', missing_fields: ['requirement:Who?'] });
    expect(await check({ ...step, answers: ['Yuki'] })).toMatchObject({ execution_tier: 'safe_auto' });
  });

  it('without operations is left to the model', async () => {
    expect(await check(toStep('scene_edit', [], {}, START))).toMatchObject({
      execution_tier: 'needs_confirm',
      missing_fields: ['operations'],
    });
  });
});

describe('what is blocked without the word of the user', () => {
  it.each([
    ['a command outside of the story', 'callSteam:1 -achievementId=x;', 'command'],
    ['a command that the engine does not have', 'changBg:sea.webp -next;', 'command'],
    ['a remote address', 'changeBg:https://example.com/a.webp -next;', 'url'],
    ['a remote address without a scheme', 'changeBg://example.com/a.webp -next;', 'url'],
    ['a remote voice', 'Yuki:Hi. -vocal=http://example.com/a.mp3;', 'url'],
    ['a program', 'changeBg:javascript:alert(1) -next;', 'script'],
    ['a path out of its folder', 'changeBg:../scene/inn.txt -next;', 'folder'],
    ['a hidden path out of its folder', 'changeBg:%2e%2e/scene/inn.txt -next;', 'folder'],
    ['a new error', 'changeScene:gone.txt;', 'problem'],
  ])('%s', async (_name, line, code) => {
    const found = await scene(insert(line));
    expect(found?.execution_tier).toBe('blocked');
    expect(found?.errors.map((issue) => issue.split(':')[0])).toContain(code);
  });

  it.each([
    ['Yuki:Hello {target_location}.;', ['target_location']],
    ['changeBg:{place}.webp -next;', ['place']],
    ['Yuki:{a{b}}.;', ['b']],
    ['Yuki:{{name}}.;', ['name']],
    ['Yuki:Hi. -vocal={voice}.mp3;', ['voice']],
  ])('a placeholder that is not filled in: %s', async (line, names) => {
    expect(await scene(insert(line))).toMatchObject({ execution_tier: 'blocked', unsafe_placeholders: names });
  });

  it('less than half of a scene', async () => {
    const text = FILES[START];
    expect(await scene({ op: 'replace', path: START, expect: text, text: 'changeScene:inn.txt;' })).toMatchObject({
      execution_tier: 'blocked',
      errors: [`shrink:${START}`],
    });
  });

  it('the removal of a scene that others reach', async () => {
    const remove = (path: string) => toStep('custom_command', [{ op: 'delete', path, expect: '' }], { approved: true });
    expect(await check(remove('game/scene/inn.txt'))).toMatchObject({
      execution_tier: 'blocked',
      errors: ['reached:game/scene/inn.txt'],
    });
    expect(await check(remove('game/scene/alone.txt'))).toMatchObject({ execution_tier: 'needs_confirm', errors: [] });
    expect(await check(remove(START))).toMatchObject({ errors: [`reached:${START}`] });
  });

  it.each([
    ['game/scene/a;rm.txt', 'shell'],
    ['game/scene/$(x).txt', 'shell'],
    ['game/scene/a`b.txt', 'shell'],
    ['game/scene/a\u202egnp.txt', 'character'],
    ['game/scene/{name}.txt', 'placeholder'],
    ['../outside.txt', 'path'],
    ['/etc/passwd', 'path'],
    ['package.json', 'folder'],
  ])('a new file called %j', async (path, code) => {
    const found = await scene({ op: 'create', path, expect: null, text: 'end;\n' });
    expect(found?.execution_tier).toBe('blocked');
    expect(found?.errors.map((issue) => issue.split(':')[0])).toContain(code);
  });

  it.each(['a && b', 'a; b', 'a | b', '`a`', 'a\u202eb', 'a\nb:c'])('the setting %j', async (value) => {
    const change: PatchOperation = { op: 'config', path: CONFIG, key: 'Game_name', expect: 'Rain', value };
    expect(await check(toStep('custom_command', [change], { approved: true }))).toMatchObject({
      execution_tier: 'blocked',
    });
  });
});

describe('an address, however it is written', () => {
  it.each([
    'changeBg:https:///evil.example/x.png;',
    'changeBg:https:evil.example/x.png;',
    'bgm:https://\tevil.example/x.mp3;',
    'bgm:ht\ttps://evil.example/x.mp3;',
    'changeFigure:a.png -leaveAnimation=//evil.example;',
    'changeBg:///evil.example/x.png;',
    ':[hi](style=background-image:url(https://evil.example/x.png));',
    ':[hi](style=background-image:u\\72l(x.png));',
    ':[hi](style=background-image:image-set("x.png"));',
  ])('%j is blocked', async (line) => {
    const found = await scene(insert(line));
    expect(found?.execution_tier).toBe('blocked');
    expect(found?.errors.map((issue) => issue.split(':')[0])).toContain('url');
  });
});

describe('braces, however they are nested', () => {
  it.each([
    '{a{1}}',
    '{1.place}',
    '{?}',
    '{ }',
    '{{}}',
    '{<place>}',
    '{“place”}',
    '{$place}',
    '{place',
    'place}',
    '｛地点｝',
  ])('%j is unresolved', async (name) => {
    const found = await scene(insert(`Yuki:Go to ${name} now.;`));
    expect(found?.execution_tier).toBe('blocked');
    expect(found?.unsafe_placeholders).toHaveLength(1);
  });

  it.each(['\\{place\\}', '{$stage.bgm.volume}', '{$userData.globalGameVar.x}'])('%j is not', async (text) => {
    expect((await scene(insert(`Yuki:Go to ${text} now.;`)))?.unsafe_placeholders).toEqual([]);
  });
});

describe('a scene that is shortened step by step', () => {
  it('is measured with the text before the plan', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => `Yuki:Line ${at} of the rain.;\n`);
    const path = 'game/scene/long.txt';
    const disk = createMemoryDisk({ ...FILES, [path]: lines.join('') });
    const cut = (from: number, to: number): PatchOperation => ({
      ...{ op: 'replace', path, expect: lines.slice(from, to).join('').trimEnd(), text: 'Yuki:…;' },
    });
    const steps = [cut(0, 6), cut(6, 12), cut(13, 14)].map((operation) => toStep('scene_edit', [operation]));
    const tiers = (await validatePlan(steps, { reader: disk.reader })).map(
      ({ validation }) => validation.execution_tier,
    );
    expect(tiers).toEqual(['safe_auto', 'blocked', 'safe_auto']);
  });
});

describe('a line of any length', () => {
  it('is searched for addresses in linear time', () => {
    // Each of these could begin a scheme. The limit of the test is far above what one pass takes.
    expect(checkPlainLine('a.'.repeat(200_000))).toEqual({ errors: [], warnings: [], placeholders: [] });
  });

  it.each(['https://a.b', 'https:/a', 'https:a.b', '//a.b', 'x=//a.b', 'web+game://a', '\\\\server', 'x ws://a'])(
    'finds the address in %j',
    (line) => {
      expect(checkPlainLine(line).errors).toEqual([`url:${line}`]);
    },
  );

  it.each(['a//b', 'a / b', 'http or https', '// a', '///'])('finds none in %j', (line) => {
    expect(checkPlainLine(line).errors).toEqual([]);
  });
});

describe('the plan of an imprecise model', () => {
  const toSteps = (...steps: object[]) => toProposedSteps(PlanInput.parse({ steps }).steps);

  it('may fill the parts that an operation does not have with null', () => {
    const given = { op: 'insert', path: START, expect: null, text: 'x', to: null, key: null, line: null };
    expect(toSteps({ type: 'scene_edit', summary: 'x', operations: [given] })).toMatchObject([
      { operations: [{ op: 'insert', path: START, expect: '', text: 'x' }] },
    ]);
  });

  it('may number its steps, and ask its questions as objects', () => {
    const missing = [{ question: 'Who?' }, 'When?', { other: 1 }];
    expect(toSteps({ step: 1, name: 'Write the rain', missing })).toMatchObject([
      { summary: 'Write the rain', missing: ['Who?', 'When?'] },
    ]);
  });
});

describe('what only asks', () => {
  it('a new warning, and a direction mark in a text', async () => {
    expect(await scene(insert('Yuki:Hi.\u202e;'))).toMatchObject({
      execution_tier: 'needs_confirm',
      warnings: ['character:U+202E'],
    });
    expect(await scene(insert('changeBg:sea.webp -nxt;'))).toMatchObject({
      execution_tier: 'needs_confirm',
      errors: [],
    });
  });

  it('an address that a character only speaks', async () => {
    expect(await scene(insert('Yuki:Look at https\\://example.com!;'))).toMatchObject({ execution_tier: 'safe_auto' });
  });
});

describe('a plan', () => {
  it('validates each step on what the steps before it make, and leaves the game as it is', async () => {
    const path = 'game/scene/new.txt';
    const steps = await validate(
      toStep('scene_edit', [{ op: 'create', path, expect: null, text: ':New.;\nend;\n' }]),
      toStep('scene_edit', [
        { op: 'replace', path: START, expect: 'changeScene:inn.txt;', text: 'changeScene:new.txt;' },
      ]),
    );
    expect(steps.map(({ validation }) => validation.errors)).toEqual([[], []]);
    expect(await scene(insert('changeScene:new.txt;'))).toMatchObject({ execution_tier: 'blocked' });
  });

  it('a step that is not ticked leaves nothing for the steps after it', async () => {
    const path = 'game/scene/new.txt';
    const create = toStep('scene_edit', [{ op: 'create', path, expect: null, text: ':New.;\nend;\n' }]);
    const steps = await validate({ ...create, ticked: false }, toStep('scene_edit', [insert('changeScene:new.txt;')]));
    expect(steps.map(({ validation }) => validation.execution_tier)).toEqual(['safe_auto', 'blocked']);
  });

  it('a blocked step leaves nothing for the steps after it', async () => {
    const path = 'game/scene/new.txt';
    const steps = await validate(
      toStep('scene_edit', [{ op: 'create', path, expect: null, text: 'callSteam:1 -achievementId=x;\nend;\n' }]),
      toStep('scene_edit', [insert('changeScene:new.txt;')]),
    );
    expect(steps.map(({ validation }) => validation.execution_tier)).toEqual(['blocked', 'blocked']);
  });

  it.each([
    ['safe_auto', [insert('Yuki:Hi.;')], 'low', false],
    ['blocked', [insert('callSteam:1 -achievementId=x;')], 'high', true],
  ] as const)('is %s as a whole', async (tier, operations, risk, asks) => {
    const [step] = await validate(toStep('scene_edit', [...operations]));
    expect(step && assessPlan([step])).toMatchObject({
      execution_tier: tier,
      unsafe_steps: tier === 'blocked' ? ['s-1'] : [],
      safety_assessment: { world_damage_risk: risk, reversibility: true, requires_confirmation: asks },
    });
  });

  it('counts ticked steps only, asks for confirmation by its strictest, and cannot promise to undo what is not known', async () => {
    const [step] = await validate(toStep('scene_edit', [insert('Yuki:Hi.;')]));
    const [prose] = toProseSteps(['Think'], 'p');
    if (!step || !prose) throw new Error('no step');
    expect(assessPlan([step, { ...prose, ticked: false }]).execution_tier).toBe('safe_auto');
    expect(assessPlan([step, prose])).toMatchObject({
      execution_tier: 'blocked',
      validation_errors: ['review'],
      safety_assessment: { reversibility: false, requires_confirmation: true },
    });
    expect(assessPlan([{ ...step, risk: 'medium' }]).safety_assessment.world_damage_risk).toBe('medium');
  });
});
