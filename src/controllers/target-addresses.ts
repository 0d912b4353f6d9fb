/**
 * Addresses that targets resolved to in the last 24 hours: what a flattened record may still show (docs/concepts/
 * dns-rules.md). Times are milliseconds since the Unix epoch.
 */
export interface TargetAddresses {
  of(target: string): readonly string[];
  saw(target: string, addresses: readonly string[]): void;
}

const keptFor = 24 * 3_600_000;

export function createTargetAddresses(now: () => number): TargetAddresses {
  const seen = new Map<string, Map<string, number>>();
  return {
    of: (target) => [...(seen.get(target) ?? [])].filter(([, at]) => now() - at <= keptFor).map(([address]) => address),
    saw(target, addresses) {
      const recent = [...(seen.get(target) ?? [])].filter(([, at]) => now() - at <= keptFor);
      seen.set(target, new Map([...recent, ...addresses.map((address) => [address, now()] as const)]));
    },
  };
}
