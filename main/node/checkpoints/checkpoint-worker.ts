import { parentPort, workerData } from 'node:worker_threads';
import { toErrorData } from '../../../shared/errors.ts';
import { toIoError, toSystemCode } from '../files/io-error.ts';
import type { TaskAnswer, TaskContext, TaskMessage } from './checkpoint-task.ts';
import { runTask } from './run-task.ts';

/**
 * The checkpoint thread: reading and hashing hundreds of megabytes with blocking calls is fastest, and must not stop the app.
 * `shared` has four numbers: whether the caller stopped the task, files done, files in total, bytes. Imports only Node and
 * pure code; the build bundles it into one file.
 */
const shared = new Float64Array(workerData as SharedArrayBuffer);

const context: TaskContext = {
  isStopped: () => shared[0] !== 0,
  report(files, total, bytes) {
    shared[1] = files;
    shared[2] = total;
    shared[3] = bytes;
  },
};

async function answer(message: TaskMessage): Promise<TaskAnswer> {
  try {
    return { ok: true, output: await runTask(message as Parameters<typeof runTask>[0], context) };
  } catch (error) {
    return { ok: false, error: toErrorData(toSystemCode(error) ? toIoError(error, 'checkpoint') : error) };
  }
}

parentPort?.on('message', (message: TaskMessage) => {
  void answer(message).then((reply) => parentPort?.postMessage(reply));
});
