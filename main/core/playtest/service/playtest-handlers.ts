import type { z } from 'zod';
import type { methods, Output, Parsed } from '../../../../shared/contract.ts';
import type { playtestMethods } from '../../../../shared/model/playtest/playtest-methods.ts';
import type { OpenProject } from '../../open-project.ts';

const NO_TESTS: Output<'playtest.tests'> = { tests: [], version: null, fault: null };

export type PlaytestMethods = keyof typeof playtestMethods;

interface HandlerPorts {
  /** The open game; null while there is none. */
  peek: () => OpenProject | null;
  /** Throws without one. */
  opened: () => OpenProject;
  /** Resolves to the empty answer when the work is done. */
  done: (work: unknown) => Promise<Record<string, never>>;
}

/** The handlers of the playtest and the story's own tests. */
export function createPlaytestHandlers({ peek, opened, done }: HandlerPorts): {
  [M in PlaytestMethods]: (input: Parsed<M>) => Promise<z.input<(typeof methods)[M]['output']>>;
} {
  return {
    'playtest.state': async () => ({ playtest: peek()?.playtest.state() ?? null }),
    'playtest.start': async (request) => done(opened().playtest.start(request)),
    'playtest.pause': async () => done(peek()?.playtest.pause()),
    'playtest.resume': async () => done(peek()?.playtest.resume()),
    'playtest.stop': async () => done(peek()?.playtest.stop()),
    'playtest.result': async () => ({ result: peek()?.playtest.result() ?? null }),
    'playtest.scene': async ({ path }) => ({ scene: peek()?.playtest.scene(path) ?? null }),
    'playtest.tests': async () => (await peek()?.playtest.tests.list()) ?? NO_TESTS,
    'playtest.changeTests': async (change) => opened().playtest.tests.change(change),
    'playtest.tryRoute': async (asked) => opened().playtest.tryRoute(asked),
    'playtest.export': async ({ format }) => ({ text: opened().playtest.export(format) }),
  };
}
