import type { DragEvent } from 'react';
import { expect, it } from 'vitest';
import { startFileDrag, toDraggedPath } from './file-drag.ts';

/** A drag as the browser carries it from its source to the place of the drop. */
function createDrag() {
  const data = new Map<string, string>();
  const dataTransfer = {
    setData: (type: string, text: string) => void data.set(type, text),
    getData: (type: string) => data.get(type) ?? '',
  };
  return { dataTransfer } as unknown as DragEvent;
}

it('takes the path of a drag of this page, and of no other', () => {
  const own = createDrag();
  startFileDrag(own, 'game/background/street.webp');
  expect(toDraggedPath(own)).toBe('game/background/street.webp');
  const files = createDrag();
  expect(toDraggedPath(files)).toBeNull();
  const foreign = createDrag();
  foreign.dataTransfer.setData('application/x-webgal-agent-path', 'game/scene/start.txt');
  expect(toDraggedPath(foreign)).toBeNull();
});
