import type { CheckpointTasks, TaskContext } from '../../../main/node/checkpoints/checkpoint-task.ts';
import { runTask } from '../../../main/node/checkpoints/run-task.ts';
import { createSerialQueue } from '../../../shared/async.ts';

/** Runs tasks of checkpoints in this thread, where a test can count and fail their calls. */
export function createInlineTasks(store: string, onReport: TaskContext['report'] = () => undefined): CheckpointTasks {
  const queue = createSerialQueue();
  return {
    run: (kind, input, work) =>
      queue.run(() =>
        runTask(
          { kind, store, input },
          {
            isStopped: () => work?.signal?.aborted ?? false,
            report(files, total, bytes) {
              onReport(files, total, bytes);
              work?.onProgress?.(files, total, bytes);
            },
          },
        ),
      ),
    close: () => queue.idle(),
  };
}
