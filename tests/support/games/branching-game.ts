import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Facts about the game of `toBranchingGame` that tests rely on. */
export const BRANCHING = {
  scenes: 150,
  ending: '结局_灯塔下的约定',
  deadEnd: '小雪_第三章_未写完',
  unreachable: '废稿_雨中的告白',
  missing: '还没写的番外.txt',
} as const;

const HEROINES = ['小雪', '阿明', 'Kenji'] as const;
const PLACES = ['图书馆', '天台', '海边', '车站', '美术室', '便利店', '神社', '音乐教室', '保健室', '旧校舍'] as const;
const CHAPTERS = ['一', '二', '三', '四', '五'] as const;
const LINES = [
  (name: string) => `${name}:今天的海很安静，你听，潮声一遍遍地漫上来。;`,
  () => ':风从堤岸的另一边吹来，带着盐的味道。;',
  (name: string) => `${name}:你还记得那个夏天吗？;`,
  () => '我:记得。那天你把伞留在了长椅上。;',
  () => ':她没有回答，只是看着远处的灯。;',
];

/**
 * Returns a realistic visual novel of 150 scenes, as texts by path: three routes of five chapters, a town map with sixty options
 * that is revisited, called scenes, endings, unfinished and unused scenes, and unusual names.
 */
export function toBranchingGame(): Map<string, string> {
  const texts = new Map<string, string>();
  const add = (name: string, lines: number, ends: readonly string[]) => {
    const seed = texts.size;
    const heroine = HEROINES[seed % HEROINES.length] ?? HEROINES[0];
    const body = Array.from({ length: lines }, (_, at) => LINES[(at + seed) % LINES.length]?.(heroine) ?? '');
    texts.set(`game/scene/${name}.txt`, [...body, ...ends, ''].join('\n'));
  };
  add('start', 12, ['setVar:trust=0;', 'choose:早点出门:序章_清晨.txt|再睡一会儿:序章_迟到.txt;']);
  add('序章_清晨', 18, ['changeScene:小镇地图.txt;']);
  add('序章_迟到', 14, ['callScene:回忆_1.txt;', 'changeScene:小镇地图.txt;']);

  const visits = Array.from({ length: 40 }, (_, at) => `${PLACES[at % PLACES.length]}_${Math.floor(at / 10) + 1}`);
  const options = [
    ...HEROINES.map((name, at) => `(trust>${at + 1})->去找${name}:${name}_第一章_相遇.txt`),
    ...visits.map((name) => `${name.split('_')[0]}（第 ${name.split('_')[1]} 次）:${name}.txt`),
    ...visits.slice(0, 16).map((name) => `再去一次${name.split('_')[0]}，把上次没有说完的话说完:${name}.txt`),
    '看看今天的天气:小镇地图.txt',
  ];
  add('小镇地图', 4, [`choose:${options.join('|')};`]);
  for (const [at, name] of visits.entries()) {
    add(name, 6 + (at % 7), ['setVar:trust=trust+1;', 'changeScene:小镇地图.txt;']);
  }

  for (const [route, name] of HEROINES.entries()) {
    for (const [at, chapter] of CHAPTERS.entries()) {
      const scene = (title: string) => `${name}_第${chapter}章_${title}`;
      const next = CHAPTERS[at + 1];
      const leave = next ? `changeScene:${name}_第${next}章_相遇.txt;` : `changeScene:${name}_终章.txt;`;
      add(scene('相遇'), 16, [
        `choose:追上去:${scene('追上')}.txt|留在原地:${scene('等待')}.txt|(trust>${at + 2})->什么也不说，把伞递给她:${scene('沉默')}.txt;`,
      ]);
      add(scene('追上'), 22, [`callScene:回忆_${(route * 5 + at) % 9}.txt;`, `changeScene:${scene('夜晚')}.txt;`]);
      add(scene('等待'), 20, [
        `changeScene:${name}_坏结局.txt -when=trust<${at - 1};`,
        `changeScene:${scene('夜晚')}.txt;`,
      ]);
      add(scene('沉默'), 11, [`changeScene:${scene('夜晚')}.txt;`]);
      add(scene('夜晚'), 25, ['setVar:trust=trust+1;', leave]);
    }
    add(`${name}_终章`, 30, [
      'label:告别;',
      `choose:说出口:${route === 0 ? BRANCHING.ending : `结局_${name}_晴`}.txt|再想想:告别|把话藏在心里:结局_${name}_雨.txt;`,
    ]);
    add(route === 0 ? BRANCHING.ending : `结局_${name}_晴`, 40, ['end;']);
    add(`结局_${name}_雨`, 26, ['end;']);
    add(`${name}_坏结局`, 9, ['end;']);
  }
  for (let at = 0; at < 9; at += 1) add(`回忆_${at}`, 8, []);

  texts.set(
    'game/scene/小雪_第三章_相遇.txt',
    `${texts.get('game/scene/小雪_第三章_相遇.txt')?.replace('|留在原地:', `|换一条路:${BRANCHING.deadEnd}.txt|留在原地:`)}`,
  );
  add(BRANCHING.deadEnd, 5, []);
  add(BRANCHING.unreachable, 33, ['changeScene:小镇地图.txt;']);
  add('废稿_旧的开头', 21, [`changeScene:${BRANCHING.unreachable}.txt;`]);
  add('constructor', 3, ['changeScene:小镇地图.txt;']);
  add('__proto__', 3, ['choose:回去:constructor.txt|<b>"看&看"</b>:天台_1.txt;']);
  add(`${'很长的名字_'.repeat(12)}完`, 3, ['end;']);
  add('番外_入口', 4, [
    `choose:番外:${BRANCHING.missing}|奇怪的房间:__proto__.txt|${'一个长到谁也不会读完的选项，'.repeat(8)}:${'很长的名字_'.repeat(12)}完.txt;`,
  ]);
  texts.set(
    'game/scene/序章_清晨.txt',
    `${texts.get('game/scene/序章_清晨.txt')?.replace('changeScene', 'choose:看番外:番外_入口.txt|不看:next;\nlabel:next;\nchangeScene')}`,
  );
  for (let at = 1; texts.size < BRANCHING.scenes; at += 1) add(`日常_${at}`, 10, ['changeScene:小镇地图.txt;']);
  return texts;
}

/** Writes the texts into a game's folder. */
export async function writeScenes(projectDir: string, texts: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(join(projectDir, 'game', 'scene'), { recursive: true });
  for (const [path, text] of texts) await writeFile(join(projectDir, path), text);
}
