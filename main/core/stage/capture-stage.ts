import type { Parsed } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Host } from '../ports/host.ts';

/**
 * Takes a picture of the stage or the window (JPEG in base64). A stage that is nowhere in the window (an area without a size), or in a host
 * without a camera, is drawn by the engine's page.
 * Throws `E_UNSUPPORTED` (`stage.noCamera`) for the window there, and for a stage that does not answer.
 */
export async function captureStage(
  { of, ...area }: Parsed<'stage.capture'>,
  { capture }: Pick<Host, 'capture'>,
  takePicture: () => Promise<string | null>,
): Promise<string> {
  if (capture !== null && area.width >= 1 && area.height >= 1) return capture(area);
  const picture = of === 'stage' ? await takePicture() : null;
  if (picture === null) throw new AppError('E_UNSUPPORTED', 'No picture can be taken.', { reason: 'stage.noCamera' });
  return picture;
}
