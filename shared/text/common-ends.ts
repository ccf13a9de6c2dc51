/** Length of the common prefix. Compares halves of the range, which the runtime does in blocks. */
export function commonPrefix(left: string, right: string): number {
  let low = 0;
  let high = Math.min(left.length, right.length);
  while (high - low > 32) {
    const middle = (low + high) >> 1;
    if (left.slice(low, middle) === right.slice(low, middle)) low = middle;
    else high = middle;
  }
  while (low < high && left.charCodeAt(low) === right.charCodeAt(low)) low += 1;
  return low;
}

/** Length of the common suffix of what follows the prefix. */
export function commonSuffix(left: string, right: string, prefix: number): number {
  let low = 0;
  let high = Math.min(left.length, right.length) - prefix;
  while (high - low > 32) {
    const middle = (low + high) >> 1;
    if (left.slice(left.length - middle, left.length - low) === right.slice(right.length - middle, right.length - low))
      low = middle;
    else high = middle;
  }
  while (low < high && left.charCodeAt(left.length - 1 - low) === right.charCodeAt(right.length - 1 - low)) low += 1;
  return low;
}
