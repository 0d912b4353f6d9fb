/** Lower quartile, median, upper quartile. */
export type Quartiles = readonly [number, number, number];

export function quartiles(values: readonly number[]): Quartiles {
  const sorted = values.toSorted((one, two) => one - two);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
  return [at(0.25), at(0.5), at(0.75)];
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** `0.52 (0.50 to 0.53)`: median and quartiles. */
export const spread = ([low, middle, high]: Quartiles): string =>
  `${middle.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
