import type { KnownDnsHost } from './dns-host-advice.ts';
import { labels } from './dns-host-advice.ts';

/** Hosts whose name servers share the same names are one entry. */
export const knownDnsHosts: readonly KnownDnsHost[] = Object.freeze([
  {
    servers: /\.ns\.cloudflare\.com$|\.foundationdns\.(com|net|org)$/,
    host: {
      id: 'cloudflare',
      name: 'Cloudflare',
      labels: labels('Name', 'Target'),
      subdomain: ['cname', 'cloudflare-proxy'],
      apex: ['flattened', 'cloudflare-proxy-apex'],
      txt: ['txt'],
    },
  },
  {
    servers: /^ns-\d+\.awsdns-\d+\.(com|net|org|co\.uk)$/,
    host: {
      id: 'route53',
      name: 'Amazon Route 53',
      labels: labels('Record name', 'Value'),
      subdomain: ['cname', 'route53-alias-off'],
      apex: ['route53-aws-only', 'addresses'],
      txt: ['txt', 'quotes'],
    },
  },
  {
    servers: /^ns-cloud-[a-z]\d+\.googledomains\.com$/,
    host: {
      id: 'google',
      name: 'Google Cloud DNS or Squarespace Domains (formerly Google Domains)',
      subdomain: ['cname-unlabelled', 'google-canonical'],
      apex: ['google-no-alias', 'addresses', 'google-api-alias'],
      txt: ['txt-unlabelled'],
    },
  },
  {
    servers: /\.squarespacedns\.com$/,
    host: {
      id: 'squarespace',
      name: 'Squarespace',
      labels: labels('Host', 'Data'),
      subdomain: ['squarespace-defaults', 'cname'],
      apex: ['squarespace-defaults', 'alias', 'squarespace-type-a'],
      txt: ['txt'],
    },
  },
  {
    servers: /^ns\d+-\d+\.azure-dns\.(com|net|org|info)$/,
    host: {
      id: 'azure',
      name: 'Azure DNS',
      labels: labels('Name', 'Alias'),
      subdomain: ['cname', 'azure-alias-off'],
      apex: ['azure-own-only', 'addresses'],
      txt: ['txt'],
    },
  },
  {
    servers: /\.domaincontrol\.com$/,
    host: {
      id: 'godaddy',
      name: 'GoDaddy',
      labels: labels('Name', 'Value'),
      subdomain: ['cname', 'godaddy-existing'],
      apex: ['godaddy-no-alias', 'addresses', 'godaddy-parked'],
      txt: ['txt'],
    },
  },
  {
    servers: /\.registrar-servers\.com$/,
    host: {
      id: 'namecheap',
      name: 'Namecheap',
      labels: labels('Host', 'Value'),
      subdomain: ['cname', 'namecheap-advanced'],
      apex: ['alias', 'namecheap-redirect'],
      txt: ['txt'],
    },
  },
  {
    servers: /\.ui-dns\.(com|net|org|de|biz)$/,
    host: {
      id: 'ionos',
      name: 'IONOS',
      labels: labels('Host name', 'Points to'),
      subdomain: ['cname'],
      apex: ['ionos-no-cname', 'addresses'],
      txt: ['txt'],
    },
  },
  {
    servers: /^(dns|ns)\d*\.(ovh\.(net|ca)|anycast\.me)$/,
    host: {
      id: 'ovh',
      name: 'OVHcloud',
      labels: labels('Sub-domain', 'Target'),
      subdomain: ['cname', 'final-dot'],
      apex: ['ovh-no-alias', 'addresses'],
      txt: ['txt'],
    },
  },
  {
    servers: /\.gandi\.net$/,
    host: {
      id: 'gandi',
      name: 'Gandi',
      labels: labels('Name', 'Hostname'),
      subdomain: ['cname', 'final-dot'],
      apex: ['alias', 'gandi-no-dnssec'],
      txt: ['txt'],
    },
  },
  {
    servers: /\.ns\.hetzner\.(com|de)$/,
    host: {
      id: 'hetzner',
      name: 'Hetzner',
      labels: labels('Name', 'Value'),
      subdomain: ['cname', 'final-dot'],
      apex: ['hetzner-no-alias', 'addresses'],
      txt: ['txt'],
    },
  },
  {
    servers: /^ns\d+\.digitalocean\.com$/,
    host: {
      id: 'digitalocean',
      name: 'DigitalOcean',
      labels: labels('Hostname', 'Is an alias of'),
      subdomain: ['cname'],
      apex: ['digitalocean-no-alias', 'addresses'],
      txt: ['txt'],
    },
  },
  {
    servers: /\.wixdns\.net$/,
    host: {
      id: 'wix',
      name: 'Wix',
      labels: labels('Host name', 'Value'),
      subdomain: ['wix-disconnect', 'cname'],
      apex: ['wix-a-only', 'addresses'],
      txt: ['txt'],
    },
  },
  {
    servers: /\.porkbun\.com$/,
    host: {
      id: 'porkbun',
      name: 'Porkbun',
      labels: labels('Host', 'Answer'),
      subdomain: ['porkbun-parking', 'cname'],
      apex: ['porkbun-parking-apex', 'alias-empty'],
      txt: ['txt'],
    },
  },
  {
    servers: /^ns\d\w*\.name\.com$/,
    host: {
      id: 'namecom',
      name: 'Name.com',
      labels: labels('Host', 'Answer'),
      subdomain: ['cname'],
      apex: ['aname-empty'],
      txt: ['txt'],
    },
  },
  {
    servers: /\.dnsimple(-edge)?\.(com|net|org)$/,
    host: {
      id: 'dnsimple',
      name: 'DNSimple',
      labels: labels('Name', 'Content'),
      subdomain: ['cname'],
      apex: ['alias-empty'],
      txt: ['txt'],
    },
  },
  {
    servers: /\.nsone\.net$/,
    host: {
      id: 'ns1',
      name: 'NS1 or Netlify DNS',
      subdomain: ['cname-unlabelled', 'ns1-domain-beside'],
      apex: ['alias'],
      txt: ['txt-unlabelled'],
    },
  },
  {
    servers: /^ns\d\.desec\.(io|org)$/,
    host: {
      id: 'desec',
      name: 'deSEC',
      labels: labels('Subname', 'Target hostname'),
      subdomain: ['cname', 'final-dot'],
      apex: ['desec-no-alias', 'addresses'],
      txt: ['txt', 'quotes'],
    },
  },
  {
    servers: /\.rzone\.de$/,
    host: {
      id: 'strato',
      name: 'STRATO',
      subdomain: ['strato-subdomain'],
      apex: ['strato-cname', 'addresses'],
      txt: ['txt-unlabelled', 'strato-txt'],
    },
  },
  {
    servers: /^ns\d*\.inwx\.(de|eu|com|net)$/,
    host: {
      id: 'inwx',
      name: 'INWX',
      labels: labels('Name', 'Value'),
      subdomain: ['cname'],
      apex: ['alias-empty', 'inwx-apex-only'],
      txt: ['txt'],
    },
  },
  {
    servers: /\.bunny\.net$/,
    host: {
      id: 'bunny',
      name: 'Bunny DNS',
      labels: labels('Hostname', 'Value'),
      subdomain: ['cname', 'bunny-acceleration'],
      apex: ['flattened-empty'],
      txt: ['txt'],
    },
  },
  {
    servers: /\.vercel-dns\.com$/,
    host: {
      id: 'vercel',
      name: 'Vercel DNS',
      labels: labels('Name', 'Value'),
      subdomain: ['cname'],
      apex: ['alias-empty'],
      txt: ['txt'],
    },
  },
  {
    servers: /^ns\d\.hover\.com$/,
    host: {
      id: 'hover',
      name: 'Hover',
      labels: labels('Hostname', 'Target name'),
      subdomain: ['cname'],
      apex: ['hover-no-alias', 'addresses'],
      txt: ['txt'],
    },
  },
  {
    servers: /\.dyna-ns\.net$/,
    host: {
      id: 'dynadot',
      name: 'Dynadot',
      subdomain: ['cname-unlabelled', 'dynadot-subdomain'],
      apex: ['aname-empty', 'dynadot-domain'],
      txt: ['txt-unlabelled', 'dynadot-subdomain'],
    },
  },
  {
    servers: /^a\d+-\d+\.akam\.net$/,
    host: {
      id: 'akamai',
      name: 'Akamai Edge DNS',
      subdomain: ['cname-unlabelled'],
      apex: ['akamai-own-only', 'addresses'],
      txt: ['txt-unlabelled'],
    },
  },
  {
    servers: /^ns\d\.transip\.(net|nl|eu)$/,
    host: {
      id: 'transip',
      name: 'TransIP',
      labels: labels('Name', 'Value'),
      subdomain: ['transip-settings', 'cname', 'final-dot'],
      apex: ['alias'],
      txt: ['txt'],
    },
  },
  {
    servers: /\.dnsmadeeasy\.com$/,
    host: {
      id: 'dnsmadeeasy',
      name: 'DNS Made Easy',
      labels: labels('Name', 'Alias to'),
      subdomain: ['cname', 'final-dot'],
      apex: ['aname-empty'],
      txt: ['txt'],
    },
  },
]);
