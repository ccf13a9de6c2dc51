/** Setup of Vitest: with `SEED` every property of fast-check repeats the cases of the seed that its failure has printed. */
if (process.env.SEED !== undefined) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ seed: Number(process.env.SEED) });
}
