import { workerData } from 'node:worker_threads';
import { createPageActions, type PageTask } from './page-actions.ts';
import { endThread } from './thread/end-thread.ts';
import { serveThread } from './thread/serve-thread.ts';

export type PageActions = ReturnType<typeof createPageActions>;

/** The thread of the assistant's browser. */
serveThread(createPageActions(workerData as PageTask, endThread));
