import type { WriteLabel } from '../../../main/core/ports/writer.ts';
import { describeAssetBytes } from '../../../main/node/assets/asset-store.ts';
import { isAssetName } from '../../../shared/model/asset/asset.ts';

/** Returns what a change asks for: the text, or the line that stands for a picture or a sound with these bytes. */
export function toAsked(path: string, content: string | null): string | null {
  return content !== null && isAssetName(path) ? describeAssetBytes(Buffer.from(content)) : content;
}

/** A picture whose bytes are text, too, so that it can be written as one here. */
const picture = (name: string) => `GIF89a\u0001\u0001\u0001\u0001 ${name}`.padEnd(64);

/** A transaction of the app: the files before, the changes, and the files after. */
export interface WriteShape {
  origin: WriteLabel['origin'];
  /** Project path → text on the disk; null: no file. */
  before: Record<string, string | null>;
  asked: Record<string, string | null>;
  /** The files afterwards, where they differ from the requested texts. */
  after?: Record<string, string | null>;
  /** True: written without review, after a dry run that the log has. */
  isAutomatic?: boolean;
}

const at = (name: string) => `game/scene/${name}`;
const long = (word: string) => `${word}:一句话;\n`.repeat(20_000);

export const WRITE_SHAPES: Readonly<Record<string, WriteShape>> = {
  one: { origin: 'agent', before: { [at('one.txt')]: 'old\n' }, asked: { [at('one.txt')]: 'new\n' } },
  made: { origin: 'agent', before: { [at('a/b/made.txt')]: null }, asked: { [at('a/b/made.txt')]: 'new\n' } },
  gone: { origin: 'agent', before: { [at('gone.txt')]: 'old\n' }, asked: { [at('gone.txt')]: null } },
  several: {
    origin: 'agent',
    before: { [at('one.txt')]: 'one, old\n', [at('chapter/two.txt')]: null, [at('gone.txt')]: 'gone, old\n' },
    asked: { [at('one.txt')]: 'one, new\n', [at('chapter/two.txt')]: 'two, new\n', [at('gone.txt')]: null },
  },
  endings: {
    origin: 'agent',
    before: { [at('dos.txt')]: '\ufeff甲:一;\r\n乙:二;\r\n' },
    asked: { [at('dos.txt')]: '\ufeff甲:一;\n乙:三;\n' },
    after: { [at('dos.txt')]: '\ufeff甲:一;\r\n乙:三;\r\n' },
  },
  large: { origin: 'agent', before: { [at('long.txt')]: long('甲') }, asked: { [at('long.txt')]: long('乙') } },
  restore: {
    origin: 'restore',
    before: { [at('one.txt')]: 'now\n', [at('two.txt')]: null },
    asked: { [at('one.txt')]: 'then\r\nand\n', [at('two.txt')]: 'then\n' },
  },
  automatic: {
    origin: 'agent',
    before: { [at('one.txt')]: 'one, old\n', [at('two.txt')]: null },
    asked: { [at('one.txt')]: 'one, new\n', [at('two.txt')]: 'two, new\n' },
    isAutomatic: true,
  },
  /** A picture that is replaced, one that is new and one that goes, with a scene. */
  pictures: {
    origin: 'agent',
    before: {
      'game/figure/aki.gif': picture('old'),
      'game/background/sea.gif': null,
      'game/figure/gone.gif': picture('gone'),
      [at('one.txt')]: 'old\n',
    },
    asked: {
      'game/figure/aki.gif': picture('new'),
      'game/background/sea.gif': picture('sea'),
      'game/figure/gone.gif': null,
      [at('one.txt')]: 'new\n',
    },
  },
  /** A renamed scene and the scenes that link to it. */
  rename: {
    origin: 'writer',
    before: { [at('old.txt')]: ':在;\n', [at('new.txt')]: null, [at('start.txt')]: 'changeScene:old.txt;\n' },
    asked: { [at('old.txt')]: null, [at('new.txt')]: ':在;\n', [at('start.txt')]: 'changeScene:new.txt;\n' },
  },
};
