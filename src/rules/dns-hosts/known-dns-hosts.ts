/** What the form for records calls its fields; null where that is not known. */
export interface FormLabels {
  readonly name: string | null;
  readonly value: string | null;
}

export const unknownLabels: FormLabels = Object.freeze({ name: null, value: null });

/** A DNS hosting provider, with advice on each kind of record: sentences, as codes of which the catalogue of words has a text for each. */
interface KnownDnsHost<Code extends string> {
  /** matches the full name of a server: lower case, without the trailing dot */
  readonly servers: RegExp;
  readonly id: string;
  readonly name: string;
  /** of the fields for a CNAME's name and value; absent if not known */
  readonly labels?: FormLabels;
  /** how to enter the name and value of a CNAME for a subdomain */
  readonly subdomain: readonly Code[];
  /** what it offers at the zone's apex */
  readonly apex: readonly Code[];
  /** how to enter the name of a TXT record */
  readonly txt: readonly Code[];
}

/** Hosts whose name servers share the same names are one entry. */
const hosts = [
  {
    servers: /\.ns\.cloudflare\.com$|\.foundationdns\.(com|net|org)$/,
    id: 'cloudflare',
    name: 'Cloudflare',
    labels: { name: 'Name', value: 'Target' },
    subdomain: ['cname', 'cloudflare-proxy'],
    apex: ['flattened', 'cloudflare-proxy-apex'],
    txt: ['txt'],
  },
  {
    servers: /^ns-\d+\.awsdns-\d+\.(com|net|org|co\.uk)$/,
    id: 'route53',
    name: 'Amazon Route 53',
    labels: { name: 'Record name', value: 'Value' },
    subdomain: ['cname', 'route53-alias-off'],
    apex: ['route53-aws-only', 'addresses'],
    txt: ['txt', 'quotes'],
  },
  {
    servers: /^ns-cloud-[a-z]\d+\.googledomains\.com$/,
    id: 'google',
    name: 'Google Cloud DNS or Squarespace Domains (formerly Google Domains)',
    subdomain: ['cname-unlabelled', 'google-canonical'],
    apex: ['google-no-alias', 'addresses', 'google-api-alias'],
    txt: ['txt-unlabelled'],
  },
  {
    servers: /\.squarespacedns\.com$/,
    id: 'squarespace',
    name: 'Squarespace',
    labels: { name: 'Host', value: 'Data' },
    subdomain: ['squarespace-defaults', 'cname'],
    apex: ['squarespace-defaults', 'alias', 'squarespace-type-a'],
    txt: ['txt'],
  },
  {
    servers: /^ns\d+-\d+\.azure-dns\.(com|net|org|info)$/,
    id: 'azure',
    name: 'Azure DNS',
    labels: { name: 'Name', value: 'Alias' },
    subdomain: ['cname', 'azure-alias-off'],
    apex: ['azure-own-only', 'addresses'],
    txt: ['txt'],
  },
  {
    servers: /\.domaincontrol\.com$/,
    id: 'godaddy',
    name: 'GoDaddy',
    labels: { name: 'Name', value: 'Value' },
    subdomain: ['cname', 'godaddy-existing'],
    apex: ['godaddy-no-alias', 'addresses', 'godaddy-parked'],
    txt: ['txt'],
  },
  {
    servers: /\.registrar-servers\.com$/,
    id: 'namecheap',
    name: 'Namecheap',
    labels: { name: 'Host', value: 'Value' },
    subdomain: ['cname', 'namecheap-advanced'],
    apex: ['alias', 'namecheap-redirect'],
    txt: ['txt'],
  },
  {
    servers: /\.ui-dns\.(com|net|org|de|biz)$/,
    id: 'ionos',
    name: 'IONOS',
    labels: { name: 'Host name', value: 'Points to' },
    subdomain: ['cname'],
    apex: ['ionos-no-cname', 'addresses'],
    txt: ['txt'],
  },
  {
    servers: /^(dns|ns)\d*\.(ovh\.(net|ca)|anycast\.me)$/,
    id: 'ovh',
    name: 'OVHcloud',
    labels: { name: 'Sub-domain', value: 'Target' },
    subdomain: ['cname', 'final-dot'],
    apex: ['ovh-no-alias', 'addresses'],
    txt: ['txt'],
  },
  {
    servers: /\.gandi\.net$/,
    id: 'gandi',
    name: 'Gandi',
    labels: { name: 'Name', value: 'Hostname' },
    subdomain: ['cname', 'final-dot'],
    apex: ['alias', 'gandi-no-dnssec'],
    txt: ['txt'],
  },
  {
    servers: /\.ns\.hetzner\.(com|de)$/,
    id: 'hetzner',
    name: 'Hetzner',
    labels: { name: 'Name', value: 'Value' },
    subdomain: ['cname', 'final-dot'],
    apex: ['hetzner-no-alias', 'addresses'],
    txt: ['txt'],
  },
  {
    servers: /^ns\d+\.digitalocean\.com$/,
    id: 'digitalocean',
    name: 'DigitalOcean',
    labels: { name: 'Hostname', value: 'Is an alias of' },
    subdomain: ['cname'],
    apex: ['digitalocean-no-alias', 'addresses'],
    txt: ['txt'],
  },
  {
    servers: /\.wixdns\.net$/,
    id: 'wix',
    name: 'Wix',
    labels: { name: 'Host name', value: 'Value' },
    subdomain: ['wix-disconnect', 'cname'],
    apex: ['wix-a-only', 'addresses'],
    txt: ['txt'],
  },
  {
    servers: /\.porkbun\.com$/,
    id: 'porkbun',
    name: 'Porkbun',
    labels: { name: 'Host', value: 'Answer' },
    subdomain: ['porkbun-parking', 'cname'],
    apex: ['porkbun-parking-apex', 'alias-empty'],
    txt: ['txt'],
  },
  {
    servers: /^ns\d\w*\.name\.com$/,
    id: 'namecom',
    name: 'Name.com',
    labels: { name: 'Host', value: 'Answer' },
    subdomain: ['cname'],
    apex: ['aname-empty'],
    txt: ['txt'],
  },
  {
    servers: /\.dnsimple(-edge)?\.(com|net|org)$/,
    id: 'dnsimple',
    name: 'DNSimple',
    labels: { name: 'Name', value: 'Content' },
    subdomain: ['cname'],
    apex: ['alias-empty'],
    txt: ['txt'],
  },
  {
    servers: /\.nsone\.net$/,
    id: 'ns1',
    name: 'NS1 or Netlify DNS',
    subdomain: ['cname-unlabelled', 'ns1-domain-beside'],
    apex: ['alias'],
    txt: ['txt-unlabelled'],
  },
  {
    servers: /^ns\d\.desec\.(io|org)$/,
    id: 'desec',
    name: 'deSEC',
    labels: { name: 'Subname', value: 'Target hostname' },
    subdomain: ['cname', 'final-dot'],
    apex: ['desec-no-alias', 'addresses'],
    txt: ['txt', 'quotes'],
  },
  {
    servers: /\.rzone\.de$/,
    id: 'strato',
    name: 'STRATO',
    subdomain: ['strato-subdomain'],
    apex: ['strato-cname', 'addresses'],
    txt: ['txt-unlabelled', 'strato-txt'],
  },
  {
    servers: /^ns\d*\.inwx\.(de|eu|com|net)$/,
    id: 'inwx',
    name: 'INWX',
    labels: { name: 'Name', value: 'Value' },
    subdomain: ['cname'],
    apex: ['alias-empty', 'inwx-apex-only'],
    txt: ['txt'],
  },
  {
    servers: /\.bunny\.net$/,
    id: 'bunny',
    name: 'Bunny DNS',
    labels: { name: 'Hostname', value: 'Value' },
    subdomain: ['cname', 'bunny-acceleration'],
    apex: ['flattened-empty'],
    txt: ['txt'],
  },
  {
    servers: /\.vercel-dns\.com$/,
    id: 'vercel',
    name: 'Vercel DNS',
    labels: { name: 'Name', value: 'Value' },
    subdomain: ['cname'],
    apex: ['alias-empty'],
    txt: ['txt'],
  },
  {
    servers: /^ns\d\.hover\.com$/,
    id: 'hover',
    name: 'Hover',
    labels: { name: 'Hostname', value: 'Target name' },
    subdomain: ['cname'],
    apex: ['hover-no-alias', 'addresses'],
    txt: ['txt'],
  },
  {
    servers: /\.dyna-ns\.net$/,
    id: 'dynadot',
    name: 'Dynadot',
    subdomain: ['cname-unlabelled', 'dynadot-subdomain'],
    apex: ['aname-empty', 'dynadot-domain'],
    txt: ['txt-unlabelled', 'dynadot-subdomain'],
  },
  {
    servers: /^a\d+-\d+\.akam\.net$/,
    id: 'akamai',
    name: 'Akamai Edge DNS',
    subdomain: ['cname-unlabelled'],
    apex: ['akamai-own-only', 'addresses'],
    txt: ['txt-unlabelled'],
  },
  {
    servers: /^ns\d\.transip\.(net|nl|eu)$/,
    id: 'transip',
    name: 'TransIP',
    labels: { name: 'Name', value: 'Value' },
    subdomain: ['transip-settings', 'cname', 'final-dot'],
    apex: ['alias'],
    txt: ['txt'],
  },
  {
    servers: /\.dnsmadeeasy\.com$/,
    id: 'dnsmadeeasy',
    name: 'DNS Made Easy',
    labels: { name: 'Name', value: 'Alias to' },
    subdomain: ['cname', 'final-dot'],
    apex: ['aname-empty'],
    txt: ['txt'],
  },
] as const satisfies readonly KnownDnsHost<string>[];

export type AdviceCode = (typeof hosts)[number]['subdomain' | 'apex' | 'txt'][number];
export type DnsHost = Omit<KnownDnsHost<AdviceCode>, 'servers'>;

export const knownDnsHosts: readonly KnownDnsHost<AdviceCode>[] = Object.freeze(hosts);
