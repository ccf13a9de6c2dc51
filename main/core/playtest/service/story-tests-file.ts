import type { Emit, Output } from '../../../../shared/contract.ts';
import { AppError, toErrorData } from '../../../../shared/errors.ts';
import { projectTexts } from '../../../../shared/i18n/project.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import { STORY_TESTS_PATH, type StoryTest, StoryTests } from '../../../../shared/model/playtest/story-test.ts';
import type { StoryTestsFile, TestsChange } from '../../../../shared/model/playtest/story-tests-file.ts';
import type { Clock } from '../../ports/host.ts';
import type { Reader } from '../../ports/reader.ts';
import type { Writer } from '../../ports/writer.ts';
import type { Buffers } from '../../services.ts';
import { parseStoryTests } from '../read-story-tests.ts';

/** The user's reading and writing of the story's own tests. */
export interface StoryTestsService {
  /** Never rejects because of the file: what is wrong with it is its `fault`. */
  list(): Promise<StoryTestsFile>;
  /** Writes one change. Throws as `playtest.changeTests` of the contract says; nothing is written then. */
  change(change: TestsChange): Promise<Output<'playtest.changeTests'>>;
}

export interface StoryTestsOptions {
  /** The disk. */
  reader: Pick<Reader, 'read' | 'stat'>;
  writer: Writer;
  buffers: Pick<Buffers, 'all'>;
  clock: Clock;
  emit: Emit;
  locale: () => Locale;
}

export function createStoryTestsService(options: StoryTestsOptions): StoryTestsService {
  const { reader, writer, buffers, clock, emit, locale } = options;
  const read = async () => ((await reader.stat(STORY_TESTS_PATH)) === null ? null : reader.read(STORY_TESTS_PATH));

  return {
    async list() {
      let version: string | null = null;
      try {
        const file = await read();
        version = file?.version ?? null;
        return { tests: file === null ? [] : [...parseStoryTests(file.text)], version, fault: null };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return { tests: [], version, fault: toErrorData(error) };
      }
    },

    async change(change) {
      if (buffers.all().has(STORY_TESTS_PATH)) throw conflict('playtest.testsUnsaved', 'The file has unsaved text.');
      const file = await read();
      const before = file === null ? [] : parseStoryTests(file.text);
      // An added test goes behind those that are there now; any other change is of the file that the user saw.
      if (change.at !== null && change.version !== (file?.version ?? null)) {
        throw conflict('write.conflict', 'The tests changed in the meantime.');
      }
      const tests = applyChange(before, change);
      const text = `${JSON.stringify({ tests }, null, 2)}\n`;
      const name = change.test?.name ?? before[change.at ?? 0]?.name ?? '';
      const written = await writer.apply([{ path: STORY_TESTS_PATH, text, base: file?.version ?? null }], {
        origin: 'writer',
        group: clock.id(),
        title: projectTexts.translate(locale(), `storyTests.${toKind(change)}`, { name }),
      });
      emit('project.filesChanged', { paths: written.map(({ path }) => path) });
      emit('history.changed', {});
      return { files: written.map(({ path, snapshotId, version }) => ({ path, snapshotId, version })) };
    },
  };
}

function applyChange(before: readonly StoryTest[], { at, test }: TestsChange): StoryTest[] {
  if (at !== null && at >= before.length) throw conflict('write.conflict', 'There is no such test.');
  const others = before.filter((_, place) => place !== at);
  if (test !== null && others.some(({ name }) => name === test.name)) {
    throw conflict('playtest.testName', `There is a test "${test.name}" already.`);
  }
  if (at === null) {
    const tests = test === null ? [...before] : [...before, test];
    if (StoryTests.safeParse({ tests }).success) return tests;
    throw new AppError('E_TOO_LARGE', 'The file has as many tests as it can hold.', { reason: 'playtest.manyTests' });
  }
  return before.flatMap((each, place) => (place !== at ? [each] : test === null ? [] : [test]));
}

function toKind({ at, test }: TestsChange): 'added' | 'changed' | 'removed' {
  if (test === null) return 'removed';
  return at === null ? 'added' : 'changed';
}

function conflict(reason: string, message: string): AppError {
  return new AppError('E_CONFLICT', message, {
    reason,
    details: { path: STORY_TESTS_PATH, paths: [STORY_TESTS_PATH] },
    hint: 'Nothing was written.',
  });
}
