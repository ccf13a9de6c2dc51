/** Changes a filter and removes its empty fields. */
export function withFilter<F extends object>(filter: F, change: { [K in keyof F]?: F[K] | undefined }): F {
  const fields = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(fields) as F;
}
