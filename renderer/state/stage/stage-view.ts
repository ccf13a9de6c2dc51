import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** The shapes in which the stage draws the game. `phone`: a phone held upright, with the bars that browsers show there. */
export const STAGE_FRAMES = ['wide', 'classic', 'tall', 'phone'] as const;
export type StageFrame = (typeof STAGE_FRAMES)[number];

/** Width to height of each frame. */
export const FRAME_RATIOS: Readonly<Record<StageFrame, readonly [number, number]>> = {
  wide: [16, 9],
  classic: [4, 3],
  tall: [9, 16],
  // What a browser leaves of a 390 × 844 screen.
  phone: [390, 664],
};

interface StageView {
  frame: StageFrame;
  /** True while the stage fills the window. */
  isLarge: boolean;
}

/** How the page draws the stage; the engine does not know of it. */
export const stageViewStore = createStore<StageView>(() => ({ frame: 'wide', isLarge: false }));

export function useStageView<T>(select: (state: StageView) => T): T {
  return useStore(stageViewStore, select);
}

/** Lets the stage fill the window, or puts it back in its place; a screen that it filled is left. */
export function setStageLarge(isLarge: boolean): void {
  stageViewStore.setState({ isLarge });
  if (!isLarge && document.fullscreenElement !== null) void document.exitFullscreen().catch(() => undefined);
}

/**
 * Lets the stage fill the screen, and the window where the browser refuses: it grants it only right after a click. Leaving it, also by
 * the browser's own Esc, puts the stage back in its place.
 */
export async function fillScreen(): Promise<void> {
  setStageLarge(true);
  // All of the page: its menus and messages stay above the stage.
  await document.documentElement.requestFullscreen().catch(() => undefined);
  if (document.fullscreenElement === null) return;
  const onChange = () => {
    if (document.fullscreenElement !== null) return;
    document.removeEventListener('fullscreenchange', onChange);
    setStageLarge(false);
  };
  document.addEventListener('fullscreenchange', onChange);
}
