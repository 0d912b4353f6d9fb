/** What is wrong with a hostname: its records, its CAA, or a wall that lets the authority through to nobody. */
export type Fate = 'right' | 'elsewhere' | 'forbidden' | 'walled';

/** Of five names one is broken, each kind as often as the others. */
const fates = ['elsewhere', 'forbidden', 'walled'] as const;
export const fateOf = (index: number): Fate =>
  index % 5 === 4 ? (fates[Math.floor(index / 5) % 3] ?? 'right') : 'right';

/** One name in twenty lies below a registered domain that it shares with 99 others. */
export const hostnameOf = (index: number): string =>
  index % 20 === 7 ? `n${index}.shared${Math.floor(index / 2_000)}.example` : `www.import${index}.example`;
