import { createLoggedGame, LABEL } from '../../support/games/logged-game.ts';
import { createProjectFolder } from '../../support/games/project-folder.ts';
import { type Comparison, compare, time } from '../compare.ts';

const FILES = 5;
const LINES = 200;
const PATHS = Array.from({ length: FILES }, (_, index) => `game/scene/chapter${index}.txt`);

/** Measures what the transaction log adds to an accept: until it is reported, and until nothing is left to do for it. */
export async function* benchTransactionLog(): AsyncGenerator<Comparison> {
  for (const until of ['reported', 'settled'] as const) {
    const files = Object.fromEntries(PATHS.map((path) => [path, toText(0)]));
    const logged = await createLoggedGame(files);
    const plain = await createProjectFolder(files);
    try {
      yield await compare({
        name: `accept of ${FILES} files with the transaction log, until ${until}`,
        goal: until === 'reported' ? { ratio: 1.1 } : null,
        against: 'the same without it',
        rounds: 300,
        ours: accept(logged, until),
        theirs: accept(plain, until),
      });
    } finally {
      await logged.dispose();
      await plain.dispose();
    }
  }
}

function toText(edition: number): string {
  return `雪乃:第 ${edition} 版;\n${'雪乃:你好;\n'.repeat(LINES)}`;
}

type Game = Pick<Awaited<ReturnType<typeof createLoggedGame>>, 'reader' | 'writer'>;

function accept({ reader, writer }: Pick<Game, 'reader'> & { writer: Game['writer'] }, until: 'reported' | 'settled') {
  let edition = 0;
  return async () => {
    edition += 1;
    const before = await Promise.all(PATHS.map((path) => reader.read(path)));
    const changes = before.map(({ path, version }) => ({ path, text: toText(edition), base: version }));
    const write = () => writer.apply(changes, { ...LABEL, group: `bench${edition}` });
    if (until === 'settled') return time(() => write().then(writer.settle));
    const taken = await time(write);
    // What runs after the report must not fall into the next round.
    await writer.settle();
    return taken;
  };
}
