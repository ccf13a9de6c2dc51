import type { Emit } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import { DrawnPicture } from '../../../shared/model/asset/placeholder.ts';
import { ViewerResult } from '../../../shared/model/viewer.ts';
import type { ToolViewer } from '../capability/define-tool.ts';
import type { Clock } from '../ports/host.ts';
import type { Painter } from '../ports/viewer/painter.ts';
import { createPageRequests, type PageRequests } from './page-requests.ts';

/** Longer data is refused: a page sends facts, not files. */
const MAX_DATA_CHARACTERS = 20_000;

/** Asks the pages of one open game to carry out actions of the assistant, and to draw. */
export interface ViewerService extends ToolViewer, Painter, Pick<PageRequests, 'attach' | 'detach' | 'dispose'> {
  /** Takes the answer to an action. */
  answer(answer: { request: string; page: string; result: ViewerResult }): void;
  /** Takes pictures that were asked for. */
  drawn(answer: { request: string; page: string; pictures: readonly DrawnPicture[] }): void;
}

export function createViewerService({ emit, clock }: { emit: Emit; clock: Clock }): ViewerService {
  const { attach, detach, dispose, ...requests } = createPageRequests({ clock });
  return {
    ...{ attach, detach, dispose },
    act: (action, params, signal) =>
      requests.ask(signal, {
        send: (id) => emit('viewer.requested', { ...id, action, params }),
        check(answer) {
          const result = toExpected(ViewerResult.safeParse(answer));
          if (JSON.stringify(result.data ?? {}).length <= MAX_DATA_CHARACTERS) return result;
          throw new AppError('E_TOO_LARGE', 'The window reported more than fits an answer.');
        },
      }),
    draw: (pictures, signal) =>
      requests.ask(signal, {
        send: (id) => emit('assets.drawingRequested', { ...id, pictures: [...pictures] }),
        check: (answer) => toExpected(DrawnPicture.array().safeParse(answer)),
      }),
    answer: ({ result, ...id }) => requests.answer(id, result),
    drawn: ({ pictures, ...id }) => requests.answer(id, pictures),
  };
}

/** Throws `E_INTERNAL` for the answer to another kind of request. */
function toExpected<T>(parsed: { success: true; data: T } | { success: false }): T {
  if (parsed.success) return parsed.data;
  throw new AppError('E_INTERNAL', 'The window answered something else than it was asked.');
}
