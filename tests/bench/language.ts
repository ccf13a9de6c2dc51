import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import ParserPackage, { ADD_NEXT_ARG_LIST, SCRIPT_CONFIG } from 'webgal-parser';
import { diagnoseProject, diagnoseScene } from '../../shared/script/diagnostics/diagnose.ts';
import {
  createProjectIndex,
  type ProjectIndex,
  SETTING_PATHS,
} from '../../shared/script/project-index/project-facts.ts';
import { BESIDE } from '../support/beside-repository.ts';
import { type Comparison, compare, time, toVerdict } from './compare.ts';
import { STORY_FILES, toBranchingStory, toScene, toStory } from './story-text.ts';

const START = 'game/scene/start.txt';
const locale = 'zh-CN';
const FRAME_MS = 16;
/** Maximum memory as a multiple of the text's bytes. */
const MEMORY_GOAL = 3;
/** Maximum share of a frame for the slowest keystrokes. */
const KEY_GOAL = 0.5;

/** Measures a full check of 100,000 lines, against the engine's parser parsing the same text. */
export function benchCheck(): Promise<Comparison> {
  const story = toStory(100_000);
  const parser = createParser();
  return compare({
    name: 'check of 100,000 lines',
    goal: { ratio: 1.2 },
    against: 'webgal-parser parsing them',
    rounds: 5,
    ours: () => time(async () => check(story)),
    theirs: () =>
      time(async () => {
        for (const [path, text] of story) parser.parse(text, path, path);
      }),
  });
}

/** Measures one typed character in a scene of 10,000 lines, sometimes a new line, against a full check of that scene. */
export async function benchKeystroke(): Promise<{ comparison: Comparison; slowest: string }> {
  const text = toScene(0, 10_000, 'end;');
  const at = text.indexOf('风从堤岸', text.length / 2);
  const index = createIndex();
  index.setScene(START, text);
  diagnoseScene(index, START, { locale });
  const times: number[] = [];
  let typed = '';
  const comparison = await compare({
    name: 'keystroke in 10,000 lines',
    goal: { ratio: 0.1 },
    against: 'a full check of the scene',
    rounds: 100,
    async ours() {
      typed = typed.length > 40 ? '' : `${typed}${typed.length % 10 === 9 ? '\n' : '雨'}`;
      // The editor passes a flat string; concatenation with + would make a rope that is flattened at the first read.
      const next = [text.slice(0, at), typed, text.slice(at)].join('');
      const spent = await time(async () => {
        index.setScene(START, next);
        diagnoseScene(index, START, { locale });
      });
      times.push(spent);
      return spent;
    },
    theirs: () =>
      time(async () => {
        const fresh = createIndex();
        fresh.setScene(START, text);
        diagnoseScene(fresh, START, { locale });
      }),
  });
  const slow = times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
  const slowest = `keystroke, 95th percentile: ${(slow / FRAME_MS).toFixed(2)} × a frame of ${FRAME_MS} ms (${slow.toFixed(2)} ms, ${times.length} keystrokes); ${toVerdict({ ratio: KEY_GOAL }, { ours: slow, theirs: FRAME_MS })}`;
  return { comparison, slowest };
}

/** Measures adding and removing a label in 100,000 lines with many branches, against a full check of that story. */
export async function benchStructuralKeystroke(): Promise<{ comparison: Comparison; slowest: string }> {
  const story = toBranchingStory(100_000);
  const [path, text] = [...story][story.size >> 1] as [string, string];
  const at = text.indexOf('\n', text.length / 2) + 1;
  const index = check(story);
  const times: number[] = [];
  const again = 8;
  let count = 0;
  const type = () => {
    count += 1;
    const next = [text.slice(0, at), `label:new${count};\n`.repeat(1 + (count % 2)), text.slice(at)].join('');
    return time(async () => {
      index.setScene(path, next);
      diagnoseScene(index, path, { locale, story: 'at-hand' });
    });
  };
  const comparison = await compare({
    name: 'a label typed among 100,000 lines of branches',
    goal: { ratio: 0.2 },
    against: 'a full check of them',
    rounds: 10,
    async ours() {
      const spent: number[] = [];
      for (let key = 0; key < again; key += 1) spent.push(await type());
      times.push(...spent);
      return spent.reduce((sum, one) => sum + one, 0) / again;
    },
    theirs: () => time(async () => check(story)),
  });
  const slow = times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
  const slowest = `the same, 95th percentile: ${(slow / FRAME_MS).toFixed(2)} × a frame of ${FRAME_MS} ms (${slow.toFixed(2)} ms, ${times.length} keystrokes); ${toVerdict({ ratio: KEY_GOAL }, { ours: slow, theirs: FRAME_MS })}`;
  return { comparison, slowest };
}

/** Measures the cost of a line among a million, against its cost among a thousand: 1 is linear. */
export function benchGrowth(): Promise<Comparison> {
  const [small, large] = [toStory(1000), toStory(1_000_000)];
  const again = 20;
  return compare({
    name: 'a thousand lines of 1,000,000',
    goal: { ratio: 1.3 },
    against: 'a thousand lines alone',
    rounds: 3,
    ours: async () => (await time(async () => check(large))) / 1000,
    theirs: async () =>
      (await time(async () => {
        for (let count = 0; count < again; count += 1) check(small);
      })) / again,
  });
}

/** Measures the memory of the index of 100,000 lines, against the text itself. */
export function benchMemory(): string {
  const used = createMeter();
  const story = toStory(100_000);
  const bytes = [...story.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const before = used();
  const index = check(story);
  const kept = used() - before;
  const scenes = [...index.scenes()].length;
  const verdict = toVerdict({ ratio: MEMORY_GOAL }, { ours: kept, theirs: bytes });
  const megabytes = (count: number) => (count / 1024 / 1024).toFixed(1);
  return `memory for 100,000 lines: ${(kept / bytes).toFixed(2)} × the text in UTF-8 (${megabytes(kept)} MiB against ${megabytes(bytes)} MiB, ${scenes} scenes); ${verdict}`;
}

interface BenchGame {
  files: readonly string[];
  texts: ReadonlyMap<string, string>;
}

/** Reads the games next to the repository, each with the names of all its files; empty if there are none. */
function readCorpus(): BenchGame[] {
  const folder = `${BESIDE}corpus`;
  if (!existsSync(folder)) return [];
  const games: BenchGame[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const root = `${folder}/${entry.name}/`;
    const listed = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => `${file.parentPath}/${file.name}`.replaceAll('\\', '/').replaceAll('//', '/').slice(root.length));
    // Copied as the app's page receives them: a part of a string keeps the whole string in memory, here the absolute path.
    const files = JSON.parse(JSON.stringify(listed)) as string[];
    const texts = new Map<string, string>();
    for (const file of files) {
      if (file.startsWith('game/scene/') || SETTING_PATHS.includes(file))
        texts.set(file, readFileSync(root + file, 'utf8'));
    }
    games.push({ files, texts });
  }
  return games;
}

const CORPUS_TIMES = 20;
const CORPUS_COPIES = 20;

/** Measures a full check of published games, against the engine's parser parsing their scenes; null without games. */
export function benchCorpusCheck(): Promise<Comparison> | null {
  const games = readCorpus();
  if (games.length === 0) return null;
  const scenes = games.flatMap(({ texts }) => [...texts].filter(([path]) => path.startsWith('game/scene/')));
  const parser = createParser();
  const again = (work: () => void) =>
    time(async () => {
      for (let count = 0; count < CORPUS_TIMES; count += 1) work();
    });
  return compare({
    name: `check of ${games.length} published games, ${scenes.length} scenes, ${CORPUS_TIMES} times, from nothing`,
    goal: { ratio: 1.2 },
    against: 'webgal-parser parsing them',
    rounds: 9,
    ours: () => again(() => games.forEach(checkProject)),
    theirs: () =>
      again(() => {
        for (const [path, text] of scenes) parser.parse(text, path, path);
      }),
  });
}

function checkProject({ files, texts }: BenchGame): ProjectIndex {
  const index = createProjectIndex();
  index.setFiles(files);
  for (const [path, text] of texts) index.setText(path, text);
  diagnoseProject(index, { locale });
  return index;
}

/**
 * Measures the memory of the index of the published games with their text; null without games. Several copies of each game,
 * because these games are small: what the runtime allocates for itself meanwhile would be a fifth of the result.
 */
export function benchCorpusMemory(): string | null {
  const bytes = readCorpus()
    .flatMap(({ texts }) => [...texts.values()])
    .reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes === 0) return null;
  const used = createMeter();
  // Read again for each copy, so that the texts are measured with the index that references them.
  const copy = (toIndex: (game: BenchGame) => ProjectIndex) =>
    Array.from({ length: CORPUS_COPIES }, () => readCorpus().map(toIndex)).flat();
  const measure = (toIndex: (game: BenchGame) => ProjectIndex) => {
    // Warm-up: the memory of compiled code does not belong to the index.
    copy(toIndex);
    const before = used();
    const indexes = copy(toIndex);
    return { each: (used() - before) / CORPUS_COPIES, indexes };
  };
  const { each, indexes } = measure(checkProject);
  const verdict = toVerdict({ ratio: MEMORY_GOAL }, { ours: each, theirs: bytes });
  const games = indexes.length / CORPUS_COPIES;
  const own = `memory for ${games} published games: ${(each / bytes).toFixed(2)} × their text in UTF-8, text included; ${verdict}`;
  const lists = measure(indexFiles);
  const files = lists.indexes.reduce((sum, index) => sum + index.files.size, 0) / CORPUS_COPIES;
  return `${own}\nof it the names of all files: ${(lists.each / bytes).toFixed(2)} × the text (${Math.round(lists.each / files)} bytes for each of ${files} files); no goal set`;
}

/** Creates an index of the names of a game's files, without its texts. */
function indexFiles({ files }: BenchGame): ProjectIndex {
  const index = createProjectIndex();
  index.setFiles(files);
  return index;
}

/** Returns a function that measures the heap after a garbage collection, in bytes. */
function createMeter(): () => number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  return () => {
    // Values of weak maps are freed in a later collection than their keys.
    for (let count = 0; count < 4; count += 1) collect();
    return process.memoryUsage().heapUsed;
  };
}

function createIndex(): ProjectIndex {
  const index = createProjectIndex();
  index.setFiles(STORY_FILES);
  return index;
}

function check(story: ReadonlyMap<string, string>): ProjectIndex {
  const index = createIndex();
  for (const [path, text] of story) index.setScene(path, text);
  diagnoseProject(index, { locale });
  return index;
}

interface Parser {
  parse(text: string, name: string, url: string): unknown;
}

/** Creates the parser like the engine. */
function createParser(): Parser {
  // The package is CommonJS: its class is one `default` deeper than in its types.
  const Class = ((ParserPackage as { default?: unknown }).default ?? ParserPackage) as new (
    ...given: unknown[]
  ) => Parser;
  return new Class(
    () => undefined,
    (file: string, type: number) => `./game/${type}/${file}`,
    ADD_NEXT_ARG_LIST,
    SCRIPT_CONFIG,
  );
}

/** Measures the cost of one item of a kind among many in one scene, against its cost among fewer: 1 is linear. */
export async function* benchOddGrowth(): AsyncGenerator<Comparison> {
  const [few, many] = [10_000, 200_000];
  for (const [kind, toText] of Object.entries(ODD_SCENES)) {
    const [small, large] = [toText(few), toText(many)];
    const checkOne = (text: string) => time(async () => check(new Map([[START, text]])));
    yield await compare({
      name: `${few.toLocaleString('en')} of ${many.toLocaleString('en')} ${kind}`,
      goal: { ratio: 1.5 },
      against: 'as many alone',
      rounds: 3,
      ours: async () => (await checkOne(large)) / (many / few),
      theirs: () => checkOne(small),
    });
  }
  const scenesOf = (count: number) =>
    new Map(
      Array.from({ length: count }, (_, at) => [
        at === 0 ? START : `game/scene/s${at}.txt`,
        `${'小雪:你好;\n'.repeat(9)}changeScene:s${at + 1}.txt;`,
      ]),
    );
  const [small, large] = [scenesOf(few / 10), scenesOf(many / 10)];
  yield await compare({
    name: '1,000 of 20,000 scenes of ten lines',
    goal: { ratio: 1.5 },
    against: 'as many alone',
    rounds: 3,
    ours: async () => (await time(async () => check(large))) / (many / few),
    theirs: () => time(async () => check(small)),
  });
}

const toLines = (count: number, toText: (at: number) => string) => Array.from({ length: count }, (_, at) => toText(at));

/** Scenes of one kind of line: worst cases. */
const ODD_SCENES: Readonly<Record<string, (count: number) => string>> = {
  labels: (count) => toLines(count, (at) => `label:l${at};`).join('\n'),
  jumps: (count) => ['setVar:x=0;\nlabel:a;', ...toLines(count, (at) => `jumpLabel:a -when=x>${at};`)].join('\n'),
  options: (count) => `choose:${toLines(count, (at) => `o${at}:a`).join('|')};\nlabel:a;\nend;`,
  speakers: (count) => toLines(count, (at) => `s${at}:hi;`).join('\n'),
  variables: (count) => toLines(count, (at) => `setVar:v${at}=${at};`).join('\n'),
};
