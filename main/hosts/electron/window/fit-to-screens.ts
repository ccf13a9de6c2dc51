/** A rectangle in the system's coordinates for windows (pixels before scaling). */
interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Bounds {
  /** Null: wherever the system puts a new window. */
  place: { x: number; y: number } | null;
  width: number;
  height: number;
}

/** At least this much of a window has to be in reach, in pixels. */
const REACH = 80;
/** A window may stand this much above its screen, in pixels: systems count a frame that nobody sees. */
const MAX_ABOVE = 10;

/**
 * Puts remembered bounds where they can be seen: on the screen where the window stood, if that is still connected, and no
 * larger than it; else wherever the system puts a window, no larger than the first screen. `workAreas` are the screens
 * without task bars, the primary one first.
 */
export function fitToScreens<B extends Bounds>(bounds: B, workAreas: readonly Area[]): B {
  const { place, width, height } = bounds;
  const home = place && workAreas.find((area) => isWithinReach({ ...place, width }, area));
  const room = home ?? workAreas[0];
  if (!room) return bounds;
  return {
    ...bounds,
    place: home ? place : null,
    width: Math.min(width, room.width),
    height: Math.min(height, room.height),
  };
}

function isWithinReach({ x, y, width }: Omit<Area, 'height'>, area: Area): boolean {
  const isBeside = x + width < area.x + REACH || x > area.x + area.width - REACH;
  // Its title bar is what a window is moved by.
  const isTitleOut = y < area.y - MAX_ABOVE || y > area.y + area.height - REACH;
  return !isBeside && !isTitleOut;
}
