/** A bucket that fills at a steady rate. */
interface Rate {
  perSecond: number;
  burst: number;
}

export interface FlowLimits {
  frames: Rate;
  bytes: Rate;
}

/**
 * Far above what a program that serves one person sends. A provider that sends faster is read more slowly: its own buffers
 * fill, nothing of the app does, and nothing is lost.
 */
export const FLOW_LIMITS: FlowLimits = {
  frames: { perSecond: 200, burst: 400 },
  bytes: { perSecond: 4 * 1024 * 1024, burst: 16 * 1024 * 1024 },
};

/** Counts what arrives. Returns the milliseconds to read nothing for; 0: go on. `now` is in milliseconds. */
export function createFlowLimit(limits: FlowLimits, now: () => number): (bytes: number) => number {
  const frames = createBucket(limits.frames, now);
  const bytes = createBucket(limits.bytes, now);
  return (size) => Math.max(frames(1), bytes(size));
}

function createBucket({ perSecond, burst }: Rate, now: () => number): (amount: number) => number {
  let level = burst;
  let at = now();
  return (amount) => {
    const time = now();
    level = Math.max(-burst, Math.min(burst, level + ((time - at) / 1000) * perSecond) - amount);
    at = time;
    return level >= 0 ? 0 : Math.ceil((-level / perSecond) * 1000);
  };
}
