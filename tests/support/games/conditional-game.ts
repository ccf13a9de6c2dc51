import { createRandom } from '../random.ts';

const SEGMENTS = 4;
const SCENES = ['start', 'middle', 'last'];
const CALLED = ['memory', 'dream'];

/**
 * Returns a game of a seed with conditions on lines, jumps, calls and options, variables that choices change, labels, and scenes that
 * are called, also by one another. Each story ends: jumps and options lead on only. Some lines are never reached.
 */
export function toConditionalGame(seed: number): Record<string, string> {
  const random = createRandom(seed);
  const under = (most: number): number => Math.floor(random() * most);
  const one = <T>(list: readonly T[]): T => list[under(list.length)] as T;
  const name = (): string => one(['a', 'b', 'c']);
  const condition = (): string => `${name()}${one(['>', '<', '==', '>='])}${under(3)}`;
  const maybe = (): string => (under(2) === 0 ? ` -when=${condition()}` : '');
  let talks = 0;
  const talk = (): string => {
    talks += 1;
    return `A:sentence ${talks}${maybe()};`;
  };
  const change = (): string => {
    const variable = name();
    return `setVar:${variable}=${one([`${variable}+1`, String(under(3)), name()])}${maybe()};`;
  };
  /** A few lines of a segment; `on`: where it can jump to. */
  const body = (called: readonly string[], on: readonly string[]): string[] => [
    talk(),
    change(),
    ...(called.length > 0 ? [`callScene:${one(called)}.txt${maybe()};`] : []),
    ...(on.length > 0 && under(2) === 0 ? [`jumpLabel:${one(on)} -when=${condition()};`] : []),
    talk(),
  ];
  const scene = (at: number): string[] => {
    const labels = Array.from({ length: SEGMENTS }, (_, segment) => `${SCENES[at]}${segment}`);
    const lines = labels.flatMap((label, segment) => {
      const on = labels.slice(segment + 1);
      const menu = on.map((target, place) => `${place === 0 ? '' : `(${condition()})->`}To ${target}:${target}`);
      const next = SCENES.slice(at + 1).map((target) => `changeScene:${target}.txt -when=${condition()};`);
      return [`label:${label};`, ...body(CALLED, on), ...(on.length > 0 ? [`choose:${menu.join('|')};`] : next)];
    });
    return [...lines, 'end;'];
  };
  const start = ['; variables', 'setVar:a=0;', 'setVar:b=1;', 'setVar:c=2;', '', ...scene(0)];
  return {
    'game/scene/start.txt': start.join('\n'),
    'game/scene/middle.txt': scene(1).join('\n'),
    'game/scene/last.txt': scene(2).join('\n'),
    'game/scene/memory.txt': body(['dream'], []).join('\n'),
    'game/scene/dream.txt': body([], []).join('\n'),
  };
}
