/**
 * Realistic lines in realistic proportions; each scene differs slightly. Fewer lines repeat exactly than in published games, so
 * that a cache of lines gains no more here than there.
 */
const LINES = [
  (n: number) => `小雪:今天的海很安静，潮声一遍遍地漫上来（第 ${n} 次）。 -v${n % 50}.ogg;`,
  (n: number) => `:风从堤岸的另一边吹来，带着盐的味道。${n};`,
  (n: number) =>
    `changeFigure:stand-${n % 30}.webp -${['left', 'right'][n % 2]} -id=${['xue', 'kenji', 'mei'][n % 3]} -next;`,
  (n: number) => `Kenji:Do you remember the summer of ${1990 + (n % 30)}? -fontSize=medium;`,
  (n: number) => `changeBg:sea-${n % 40}.webp -duration=${500 + (n % 70) * 10} -next;`,
  (n: number) => `小雪:{player}，你还记得吗？那是第 ${n} 个夏天。;`,
  (n: number) => `setVar:trust=trust+${1 + (n % 9)};`,
  () => '; 这里之后再改',
  (n: number) => `:她没有回答。${n} -when=trust>${n % 9};`,
  (n: number) => `bgm:tide-${n % 20}.mp3 -volume=${50 + (n % 40)} -enter=3000;`,
  (n: number) =>
    `setTransform:{"position":{"x":${n % 900},"y":-20},"scale":{"x":1.1,"y":1.1}} -target=xue -duration=${n % 700};`,
  (n: number) => `Kenji:I have been here ${n} times before, and it never looked the same;`,
];

/** Every file that the scenes reference. */
export const STORY_FILES = [
  ...Array.from({ length: 40 }, (_, index) => `game/background/sea-${index}.webp`),
  ...Array.from({ length: 30 }, (_, index) => `game/figure/stand-${index}.webp`),
  ...Array.from({ length: 20 }, (_, index) => `game/bgm/tide-${index}.mp3`),
  ...Array.from({ length: 50 }, (_, index) => `game/vocal/v${index}.ogg`),
];

/** Returns one scene of `lines` lines without relevant findings. */
export function toScene(scene: number, lines: number, next: string): string {
  const texts = ['setVar:trust=0;', 'setVar:player=我;'];
  for (let line = texts.length; line < lines - 1; line += 1) {
    texts.push(
      (LINES[(line * 7 + scene) % LINES.length] ?? LINES[0])?.(Math.floor(line / LINES.length) + scene * 13) ?? '',
    );
  }
  return [...texts, next].join('\n');
}

/** Returns a story of scenes of a thousand lines each, by path. */
export function toStory(lines: number): Map<string, string> {
  const texts = new Map<string, string>();
  const scenes = Math.ceil(lines / 1000);
  const nameOf = (scene: number) => (scene === 0 ? 'start.txt' : `scene-${scene}.txt`);
  for (let scene = 0; scene < scenes; scene += 1) {
    const next = scene + 1 < scenes ? `changeScene:${nameOf(scene + 1)};` : 'end;';
    texts.set(`game/scene/${nameOf(scene)}`, toScene(scene, Math.min(1000, lines), next));
  }
  return texts;
}

/** Returns a story of scenes of a thousand lines each, by path, in which almost every line is a variable, choice or jump. */
export function toBranchingStory(lines: number): Map<string, string> {
  const scenes = lines / 1000;
  const nameOf = (scene: number) => (scene % scenes === 0 ? 'start.txt' : `scene-${scene % scenes}.txt`);
  const texts = new Map<string, string>();
  for (let scene = 0; scene < scenes; scene += 1) {
    const written = ['setVar:trust=0;'];
    for (let at = 1; written.length < 990; at += 1) {
      written.push(
        `label:l${at};`,
        `小雪:第 ${at} 次 {trust};`,
        `setVar:v${(scene * 7 + at) % 200}=v${at % 200}+1;`,
        `changeFigure:stand-${at % 30}.webp -id=f${at % 20} -next;`,
        `bgm:tide-${at % 20}.mp3;`,
        `jumpLabel:l${Math.max(1, at - 3)} -when=v${at % 50}>3;`,
        `choose:去:l${at}|留:l${Math.max(1, at - 1)}|走:${nameOf(scene + at)};`,
        `小雪:好 {v${at % 200}};`,
        `callScene:${nameOf(scene * 3 + at)} -when=trust>1;`,
      );
    }
    texts.set(`game/scene/${nameOf(scene)}`, [...written, `changeScene:${nameOf(scene + 1)};`].join('\n'));
  }
  return texts;
}
