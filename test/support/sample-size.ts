/** `npm run test:long` takes the samples in full; `npm test` takes smaller ones, so that it stays quick. */
export function sampleSize({ long, short }: { long: number; short: number }): number {
  return process.env['LONG_TESTS'] ? long : short
}
