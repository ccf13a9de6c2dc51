import { AppError } from '../../../shared/errors.ts';
import type { Host } from '../ports/host.ts';

/** Takes a picture of a part of the window (JPEG in base64). Throws `E_UNSUPPORTED` where the host cannot. */
export async function captureStage(
  { capture }: Pick<Host, 'capture'>,
  area: Parameters<NonNullable<Host['capture']>>[0],
): Promise<string> {
  if (capture === null || area.width < 1 || area.height < 1) {
    throw new AppError('E_UNSUPPORTED', 'This window cannot be photographed.', { reason: 'stage.noCamera' });
  }
  return capture(area);
}
