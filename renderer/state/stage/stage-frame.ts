let frame: HTMLElement | null = null;

/** Sets the frame of the engine on screen; null while there is none. One that left the page does not count. */
export function setStageFrame(shown: HTMLElement | null): void {
  frame = shown;
}

/** Returns where the frame of the engine is in the window, in CSS pixels; null while there is none. */
export function stageArea(): { x: number; y: number; width: number; height: number } | null {
  if (!frame?.isConnected) return null;
  const { x, y, width, height } = frame.getBoundingClientRect();
  return width < 1 || height < 1 ? null : { x: Math.max(0, x), y: Math.max(0, y), width, height };
}
