import { createHash } from 'node:crypto';

/** How many domains a made cluster has, and how many accounts they belong to. */
export interface ClusterSize {
  readonly domains: number;
  readonly accounts: number;
}

/** What a made domain is: Live, a Live redirect, or one whose record is missing. */
export const domainKinds = ['live', 'redirect', 'unverified'] as const;
export type DomainKind = (typeof domainKinds)[number];

/** Names are the same in every run, and of one length each, so that a text about one becomes a text about another. */
export const accountName = (account: number | string): string => `seller-${String(account).padStart(6, '0')}`;
export const registeredDomain = (domain: number | string): string => `d-${String(domain).padStart(6, '0')}.example`;
/** Each domain but a redirect is the primary one of a project of its own, as a project has no more. */
export const projectOf = (domain: number | string): string => `shop-${String(domain).padStart(6, '0')}`;
export const hostnameOf = (domain: number | string): string => `www.${registeredDomain(domain)}`;

/** 5,000 accounts where there are enough domains, otherwise one for every two. */
export const sizeOf = (domains: number): ClusterSize => ({
  domains,
  accounts: Math.min(5_000, Math.floor(domains / 2)),
});

export const accountOf = (domain: number, { accounts }: ClusterSize): number => domain % accounts;

/** The domains of an account, its first one always Live. */
export function domainsOf(account: number, { domains, accounts }: ClusterSize): readonly number[] {
  return Array.from({ length: Math.ceil((domains - account) / accounts) }, (_, at) => account + at * accounts);
}

/** The domain whose project another one belongs to: a redirect leads to its account's first. */
export const primaryOf = (domain: number, size: ClusterSize): number =>
  kindOf(domain, size) === 'redirect' ? accountOf(domain, size) : domain;

/** One of sixteen redirects and one of sixteen has no record, but for each account's first and what is added later. */
export function kindOf(domain: number, { domains, accounts }: ClusterSize): DomainKind {
  if (domain < accounts || domain >= domains) return 'live';
  const share = createHash('sha256').update(`kind ${domain}`).digest().readUInt8(0) % 16;
  return share === 0 ? 'redirect' : share === 1 ? 'unverified' : 'live';
}

/** A UUID that is the same whenever it is made of the same text. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
