/** What the form for records calls its fields; null where that is not known. */
export interface FormLabels {
  readonly name: string | null;
  readonly value: string | null;
}

/** Sentences on how to create a record at a DNS host, as codes; the catalogue of words has a text for each. */
export const adviceCodes = [
  'cname',
  'cname-unlabelled',
  'txt',
  'txt-unlabelled',
  'alias',
  'alias-empty',
  'aname-empty',
  'flattened',
  'flattened-empty',
  'addresses',
  'final-dot',
  'quotes',
  'cloudflare-proxy',
  'cloudflare-proxy-apex',
  'route53-alias-off',
  'route53-aws-only',
  'google-canonical',
  'google-no-alias',
  'google-api-alias',
  'squarespace-defaults',
  'squarespace-type-a',
  'azure-alias-off',
  'azure-own-only',
  'godaddy-existing',
  'godaddy-no-alias',
  'godaddy-parked',
  'namecheap-advanced',
  'namecheap-redirect',
  'ionos-no-cname',
  'ovh-no-alias',
  'gandi-no-dnssec',
  'hetzner-no-alias',
  'digitalocean-no-alias',
  'wix-disconnect',
  'wix-a-only',
  'porkbun-parking',
  'porkbun-parking-apex',
  'ns1-domain-beside',
  'desec-no-alias',
  'strato-subdomain',
  'strato-cname',
  'strato-txt',
  'inwx-apex-only',
  'bunny-acceleration',
  'hover-no-alias',
  'dynadot-subdomain',
  'dynadot-domain',
  'akamai-own-only',
  'transip-settings',
] as const;
export type AdviceCode = (typeof adviceCodes)[number];

/** A DNS hosting provider, with advice on each kind of record. */
export interface DnsHost {
  readonly id: string;
  readonly name: string;
  /** of the fields for a CNAME's name and value; absent if not known */
  readonly labels?: FormLabels;
  /** how to enter the name and value of a CNAME for a subdomain */
  readonly subdomain: readonly AdviceCode[];
  /** what it offers at the zone's apex */
  readonly apex: readonly AdviceCode[];
  /** how to enter the name of a TXT record */
  readonly txt: readonly AdviceCode[];
}

/** A host with the name servers that identify it. */
export interface KnownDnsHost extends DnsHost {
  /** matches the full name of a server: lower case, without the trailing dot */
  readonly servers: RegExp;
}

export const unknownLabels: FormLabels = Object.freeze({ name: null, value: null });
