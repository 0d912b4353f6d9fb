/**
 * Very many hostnames, each a number from 0: everything else about a name follows from it, so that nothing is stored and
 * every run is the same. Two names share a registered domain, as an apex and its www do.
 */
export interface SimulatedHostnames {
  readonly size: number;
  accountOf(name: number): string;
  registeredDomainOf(name: number): string;
  /** 0 to 9; four of ten registered domains are at registry 0 */
  registryOf(name: number): number;
  /** 0 to 19, in equal parts */
  dnsHostOf(name: number): number;
  /** as a ProjectDomain's, from which its share of the jitter of checks follows */
  uidOf(name: number): string;
  /** in [0, 1), the same in every run; `purpose` makes them independent of each other */
  chance(name: number, purpose: number): number;
}

/** An account has twenty names, but for one neighbour with ten thousand. */
const namesOfAccount = 20;
const namesOfNeighbour = 10_000;

/** The finalizer of MurmurHash3 (Appleby, public domain), which spreads consecutive numbers over 32 bits. */
function hash(name: number, purpose: number): number {
  let mixed = (name ^ Math.imul(purpose, 0x9e3779b9)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

const purposes = { registry: 1, dnsHost: 2, uid: 3 } as const;

export function createHostnames(size: number): SimulatedHostnames {
  const pairOf = (name: number) => name >> 1;
  const neighbourFrom = size - Math.min(namesOfNeighbour, Math.floor(size / 10));
  return Object.freeze({
    size,
    accountOf: (name: number) => (name >= neighbourFrom ? 'neighbour' : `account ${Math.floor(name / namesOfAccount)}`),
    registeredDomainOf: (name: number) => `${pairOf(name)}.example`,
    registryOf(name: number) {
      const of = hash(pairOf(name), purposes.registry) % 15;
      return of < 6 ? 0 : of - 5;
    },
    dnsHostOf: (name: number) => hash(pairOf(name), purposes.dnsHost) % 20,
    uidOf: (name: number) => hash(name, purposes.uid).toString(16).padStart(8, '0'),
    chance: (name: number, purpose: number) => hash(name, purpose) / 2 ** 32,
  });
}
