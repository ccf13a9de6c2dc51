/** One fault that a playtest must find: its files, and where it is reported. */
export interface PlantedFault {
  name: string;
  code: string;
  path: string;
  line: number;
}

const START = 'game/scene/start.txt';
const CONFIG = 'Game_name:Faults;\nGame_key:faults;\nDefault_Language:en;\n';

/**
 * Returns a game with one planted fault of each kind, each behind an option of its own, and healthy lines around them. `seed` varies
 * names, the length of scenes and the order of the options.
 */
export function toFaultyGame(seed: number): { files: Record<string, string>; faults: PlantedFault[] } {
  const files: Record<string, string> = { 'game/config.txt': CONFIG };
  const faults: PlantedFault[] = [];
  const options: string[] = [];
  const talk = (count: number) => Array.from({ length: count }, (_, at) => `A:line ${at} of ${seed};`);
  /** Adds a scene behind an option. `tail` holds its last lines; `at` is the faulty one of them, from 0. */
  const plant = (code: string, tail: string[], at = 0) => {
    const lines = talk(1 + ((seed + options.length) % 4));
    const name = `${code}_${seed}.txt`;
    files[`game/scene/${name}`] = [...lines, ...tail].join('\n');
    options.push(`To ${code}:${name}`);
    faults.push({ name: code, code, path: `game/scene/${name}`, line: lines.length + 1 + at });
  };
  plant('dead-end', ['A:nothing follows;']);
  plant('stuck-line', ['setVar:x=random(1,);', 'A:never;', 'changeScene:start.txt;']);
  plant('missing-file', ['changeBg:gone.webp -next;', 'A:no picture;', 'end;']);
  plant('endless-loop', ['label:again;', 'A:round;', 'jumpLabel:again;'], 2);
  plant(
    'no-option',
    ['setVar:a=1;', 'choose:(a>5)->One:one|(a<0)->Two:one;', 'label:one;', 'changeScene:start.txt;'],
    1,
  );
  plant('never-true', ['setVar:b=2;', 'A:impossible -when=b>5;', 'end;'], 1);
  plant(
    'never-offered',
    ['setVar:c=3;', 'choose:Go on:on|(c>9)->Hidden:off;', 'label:off;', 'A:off;', 'label:on;', 'end;'],
    1,
  );
  plant('unreachable-ending', ['setVar:d=1;', 'jumpLabel:good -when=d>1;', 'end;', 'label:good;', 'end;'], 4);
  files[`game/scene/draft_${seed}.txt`] = 'A:no way here;\nend;';
  faults.push({ name: 'unreachable-scene', code: 'unreachable-scene', path: `game/scene/draft_${seed}.txt`, line: 1 });
  const turn = seed % options.length;
  const turned = [...options.slice(turn), ...options.slice(0, turn)];
  files[START] = [...talk(2), `choose:Healthy:healthy|${turned.join('|')};`, 'label:healthy;', 'A:fine;', 'end;'].join(
    '\n',
  );
  return { files, faults };
}
