/** A rectangle in device-independent pixels. */
interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Bounds {
  /** Null: the system places the window. */
  place: { x: number; y: number } | null;
  width: number;
  height: number;
}

/** Width and height of a window that must be visible, in pixels. */
const MIN_VISIBLE = 80;
/** How far a window may be above its screen, in pixels: systems include an invisible frame. */
const MAX_ABOVE = 10;

/**
 * Returns stored bounds that are visible on the current screens: at the stored position and no larger than that screen if it is
 * connected; otherwise without a position and no larger than the first screen. `workAreas` are the screens without task bars,
 * the primary one first.
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
  const isBeside = x + width < area.x + MIN_VISIBLE || x > area.x + area.width - MIN_VISIBLE;
  // A window is moved by its title bar, so that must be visible.
  const isTitleOut = y < area.y - MAX_ABOVE || y > area.y + area.height - MIN_VISIBLE;
  return !isBeside && !isTitleOut;
}
