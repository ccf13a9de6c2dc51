/** A reading at a time in minutes. */
export interface Reading {
  at: number;
  value: number;
}

/** Returns the growth per minute: the slope of the least-squares line. 0 for readings at fewer than two times. */
export function toSlope(readings: readonly Reading[]): number {
  const middle = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [at, value] = [middle(readings.map((each) => each.at)), middle(readings.map((each) => each.value))];
  let [shared, spread] = [0, 0];
  for (const each of readings) {
    shared += (each.at - at) * (each.value - value);
    spread += (each.at - at) ** 2;
  }
  return spread > 0 ? shared / spread : 0;
}
