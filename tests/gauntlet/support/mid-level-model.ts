import type { FakeCall, FakeRequest, FakeStep } from '../../support/services/fake-model-server.ts';
import { call, calls, toToolAnswers } from './steps.ts';

/** A scene that the model writes. */
export interface PlannedScene {
  path: string;
  lines: readonly string[];
}

export interface MidLevelTask {
  /** Scenes of the game that the model reads before it writes, a few in each step. */
  reads: readonly string[];
  scenes: readonly PlannedScene[];
  /** The scene that leads to the new ones, the lines it ends with, and what replaces them. */
  link: { path: string; quoted: string; replacement: string };
}

const READS_PER_STEP = 4;
const toText = ({ lines }: PlannedScene): string => `${lines.join('\n')}\n`;
const toHalves = (lines: readonly string[]): [string, string] => {
  const middle = Math.ceil(lines.length / 2);
  return [`${lines.slice(0, middle).join('\n')}\n`, `${lines.slice(middle).join('\n')}\n`];
};
/** What such a model does to punctuation that it quotes from memory. */
const toHalfWidth = (text: string): string =>
  text.replaceAll('，', ',').replaceAll('！', '!').replaceAll('？', '?').replaceAll('“', '"').replaceAll('”', '"');

/**
 * A service that behaves as a cheaper model does: it thinks aloud, forgets arguments, writes arguments as a string, quotes inexactly,
 * repeats itself, is cut off by its length, leaves a mistake for the check, and stops before the end. It corrects what an answer of the
 * app tells it, and goes on when it is asked to.
 */
export function createMidLevelModel({ reads, scenes, link }: MidLevelTask): (request: FakeRequest) => FakeStep {
  const plan = planSteps({ reads, scenes, link });
  let next = 0;
  return (request) => {
    if (!request.body.tools?.length)
      return { text: `写作中：${scenes.length} 场戏，人物是雪和海，起点是 ${link.path}。` };
    const step = plan[next];
    next += 1;
    if (!step) return calls(call('attempt_completion', { result: '十场戏都起草好了，并接在了开头。' }));
    return typeof step === 'function' ? step(request) : step;
  };
}

type Step = FakeStep | ((request: FakeRequest) => FakeStep);

function planSteps({ reads, scenes, link }: MidLevelTask): Step[] {
  const steps: Step[] = [];
  steps.push({ reasoning: '先看看项目里有什么。', text: '我先看看项目。', calls: [call('list_files', {})] });
  for (let from = 0; from < reads.length; from += READS_PER_STEP) {
    const some = reads.slice(from, from + READS_PER_STEP);
    // A read by the name that other products give the argument, one with a number as a string, one as text instead of an object.
    const each = some.map((path, index): FakeCall => {
      if (index === 1) return call('read_file', { file_path: path });
      if (index === 2) return call('read_file', { path, offset: '0' });
      return index === 3
        ? { name: 'read_file', args: JSON.stringify(JSON.stringify({ path })) }
        : call('read_file', { path });
    });
    steps.push({ text: '<think>接着读。</think>', calls: each });
  }
  // It reads the same file again and again, until it is told.
  for (let times = 0; times < 2; times += 1) steps.push(calls(call('read_file', { path: link.path })));
  for (const [index, scene] of scenes.entries()) steps.push(...toSceneSteps(scene, index));
  steps.push(
    calls(call('read_file', { path: link.path })),
    calls(
      call('replace_in_file', {
        path: link.path,
        find: toHalfWidth(link.quoted),
        replace: link.replacement,
        dryRun: false,
      }),
    ),
    calls(...scenes.map(({ path }) => call('validate_script', { path }))),
  );
  return steps;
}

function toSceneSteps(scene: PlannedScene, index: number): Step[] {
  const { path, lines } = scene;
  const content = toText(scene);
  const [first, rest] = toHalves(lines);
  const write = (args: object): FakeStep => calls(call('write_to_file', args));
  switch (index % 5) {
    case 0:
      // The path is forgotten, and given after the refusal.
      return [write({ content }), (request) => retry(request, 'path', write({ path, content }))];
    case 1:
      return [{ calls: [{ name: 'write_to_file', args: JSON.stringify(JSON.stringify({ path, content })) }] }];
    case 2:
      // Cut off in the middle of the call, then written in parts.
      return [
        {
          calls: [{ name: 'write_to_file', args: JSON.stringify({ path, content }).slice(0, 120) }],
          finish: 'length',
        },
        write({ file_path: path, text: first, mode: 'Overwrite' }),
        write({ path, content: rest, mode: 'append' }),
      ];
    case 3: {
      // A picture that does not exist, and a quotation in half-width punctuation for its correction.
      const wrong = content.replace(lines[0] ?? '', 'changeBg:没有这张图.webp -next;');
      return [
        write({ path, content: wrong, dryRun: false, idempotencyKey: `scene-${index}` }),
        calls(
          call('replace_in_file', {
            path,
            old_string: 'changeBg: 没有这张图.webp -next',
            new_string: (lines[0] ?? '').replace(/;$/, ''),
          }),
        ),
      ];
    }
    default: {
      // Half of the scene, then the rest by line number, at first without the check of that line; and it speaks as if all were done.
      const written = first.trimEnd().split('\n');
      const insert = { path, line: String(written.length), content: rest };
      return [
        write({ path, content: first }),
        calls(call('insert_at_line', insert)),
        (request) =>
          retry(request, 'expect', calls(call('insert_at_line', { ...insert, expect: written.at(-1)?.slice(0, 12) }))),
        { text: `第 ${index + 1} 场写好了，剩下的等你说继续。` },
      ];
    }
  }
}

/** Fails where the refusal does not name what the model forgot: it could not correct its call. */
function retry(request: FakeRequest, forgotten: string, step: FakeStep): FakeStep {
  const last = toToolAnswers(request).at(-1) ?? '';
  if (!last.includes(forgotten)) throw new Error(`The answer does not name ${forgotten}: ${last}`);
  return step;
}
