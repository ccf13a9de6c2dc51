import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const LINES = ['雪乃:今天的海很安静，你听。;', ':风从堤岸的另一边吹来。;', '我:记得。那天你把伞留在了长椅上。;'];

/** Returns the file name of a scene; `index` starts at 0. */
export const toSceneName = (index: number): string => `chapter_${String(index + 1)}.txt`;

/** Writes a game of `scenes` short scenes, each leading to the next, with `assets` empty pictures. */
export async function writeBigGame(projectDir: string, { scenes = 1, assets = 0, lines = 8 } = {}): Promise<void> {
  const sceneDir = join(projectDir, 'game', 'scene');
  const pictureDir = join(projectDir, 'game', 'background');
  await mkdir(sceneDir, { recursive: true });
  await mkdir(pictureDir, { recursive: true });
  await writeFile(join(projectDir, 'game', 'config.txt'), 'Game_name:Bench;\nGame_key:bench;\n');
  const body = Array.from({ length: lines }, (_, index) => LINES[index % LINES.length]).join('\n');
  const write = (index: number): Promise<void> => {
    const next = index < scenes - 1 ? `changeScene:${toSceneName(index)};` : 'end;';
    const name = index === 0 ? 'start.txt' : toSceneName(index - 1);
    return writeFile(join(sceneDir, name), `${body}\n${next}\n`);
  };
  for (let from = 0; from < scenes; from += 200) {
    await Promise.all(Array.from({ length: Math.min(200, scenes - from) }, (_, index) => write(from + index)));
  }
  for (let from = 0; from < assets; from += 200) {
    await Promise.all(
      Array.from({ length: Math.min(200, assets - from) }, (_, index) =>
        writeFile(join(pictureDir, `picture_${from + index}.png`), ''),
      ),
    );
  }
}
