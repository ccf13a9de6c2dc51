const LF = 10;
const CR = 13;

/** Returns a function that takes the pieces of an event stream: `open` bytes since the last empty line, and events that `ended` in it. */
export function createEventMeter(): (chunk: Uint8Array) => { open: number; ended: number } {
  let bytes = 0;
  let last = LF;
  let isEmptyLine = true;
  return (chunk) => {
    let ended = 0;
    for (const byte of chunk) {
      bytes += 1;
      const isEnd = byte === CR || (byte === LF && last !== CR);
      if (isEnd && isEmptyLine) [bytes, ended] = [0, ended + 1];
      if (isEnd) isEmptyLine = true;
      else if (byte !== LF) isEmptyLine = false;
      last = byte;
    }
    return { open: bytes, ended };
  };
}
