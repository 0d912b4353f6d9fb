import type { KnownDnsHost } from './dns-host-advice.ts';
import { addressesOnly, alias, cname, flattened, labels, txt } from './dns-host-advice.ts';

/** Hosts whose name servers share the same names are one entry. */
export const knownDnsHosts: readonly KnownDnsHost[] = Object.freeze([
  {
    servers: /\.ns\.cloudflare\.com$|\.foundationdns\.(com|net|org)$/,
    host: {
      id: 'cloudflare',
      name: 'Cloudflare',
      labels: labels('Name', 'Target'),
      subdomain: `${cname('Name', 'Target')} With Proxy status "Proxied" (the orange cloud) the TXT record shown is needed too, and the SSL/TLS mode "Full"; "DNS only" needs neither.`,
      apex: `${flattened('CNAME', '@ as its name')} With Proxy status "Proxied" choose the SSL/TLS mode "Full"; "DNS only" needs nothing else.`,
      txt: txt('Name'),
    },
  },
  {
    servers: /^ns-\d+\.awsdns-\d+\.(com|net|org|co\.uk)$/,
    host: {
      id: 'route53',
      name: 'Amazon Route 53',
      labels: labels('Record name', 'Value'),
      subdomain: `${cname('Record name', 'Value')} Leave "Alias" switched off.`,
      apex: addressesOnly('Alias records of Route 53 can point only to AWS resources or within the same zone.'),
      txt: `${txt('Record name')} Put the value between double quotes.`,
    },
  },
  {
    servers: /^ns-cloud-[a-z]\d+\.googledomains\.com$/,
    host: {
      id: 'google',
      name: 'Google Cloud DNS or Squarespace Domains (formerly Google Domains)',
      subdomain: `${cname()} In Google Cloud the value is the "canonical name".`,
      apex: `${addressesOnly('The forms offer no ALIAS record here.')} In Google Cloud the command line and API offer ALIAS, for zones without DNSSEC.`,
      txt: txt(),
    },
  },
  {
    servers: /\.squarespacedns\.com$/,
    host: {
      id: 'squarespace',
      name: 'Squarespace',
      labels: labels('Host', 'Data'),
      subdomain: `${cname('Host', 'Data')} Remove the Squarespace defaults for this name first, if there are any.`,
      apex: `${alias('ALIAS', '@ as its host')} Remove the Squarespace defaults first; if the list of types has no ALIAS, use type A.`,
      txt: txt('Host'),
    },
  },
  {
    servers: /^ns\d+-\d+\.azure-dns\.(com|net|org|info)$/,
    host: {
      id: 'azure',
      name: 'Azure DNS',
      labels: labels('Name', 'Alias'),
      subdomain: `${cname('Name', 'Alias')} Leave "Alias record set" at No.`,
      apex: addressesOnly('Alias record sets of Azure can point only to Azure resources or within the same zone.'),
      txt: txt('Name'),
    },
  },
  {
    servers: /\.domaincontrol\.com$/,
    host: {
      id: 'godaddy',
      name: 'GoDaddy',
      labels: labels('Name', 'Value'),
      subdomain: `${cname('Name', 'Value')} A name such as www may exist already: edit that record.`,
      apex: `${addressesOnly('GoDaddy allows no CNAME at @ and has no ALIAS record.')} Delete the A record named "Parked" or "WebsiteBuilder Site", if there is one.`,
      txt: txt('Name'),
    },
  },
  {
    servers: /\.registrar-servers\.com$/,
    host: {
      id: 'namecheap',
      name: 'Namecheap',
      labels: labels('Host', 'Value'),
      subdomain: `${cname('Host', 'Value')} The records are under "Advanced DNS".`,
      apex: `${alias('ALIAS', '@ as its host')} Delete a "URL Redirect" or A record with the same host.`,
      txt: txt('Host'),
    },
  },
  {
    servers: /\.ui-dns\.(com|net|org|de|biz)$/,
    host: {
      id: 'ionos',
      name: 'IONOS',
      labels: labels('Host name', 'Points to'),
      subdomain: cname('Host name', 'Points to'),
      apex: addressesOnly('IONOS advises against a CNAME for the domain itself.'),
      txt: txt('Host name'),
    },
  },
  {
    servers: /^(dns|ns)\d*\.(ovh\.(net|ca)|anycast\.me)$/,
    host: {
      id: 'ovh',
      name: 'OVHcloud',
      labels: labels('Sub-domain', 'Target'),
      subdomain: `${cname('Sub-domain', 'Target')} Write a dot at the end of the value, so that your domain is not added to it.`,
      apex: addressesOnly('OVHcloud has no ALIAS record.'),
      txt: txt('Sub-domain'),
    },
  },
  {
    servers: /\.gandi\.net$/,
    host: {
      id: 'gandi',
      name: 'Gandi',
      labels: labels('Name', 'Hostname'),
      subdomain: `${cname('Name', 'Hostname')} Write a dot at the end of the value, so that your domain is not added to it.`,
      apex: `${alias('ALIAS', '@ as its name')} It works for zones without DNSSEC.`,
      txt: txt('Name'),
    },
  },
  {
    servers: /\.ns\.hetzner\.(com|de)$/,
    host: {
      id: 'hetzner',
      name: 'Hetzner',
      labels: labels('Name', 'Value'),
      subdomain: `${cname('Name', 'Value')} Write a dot at the end of the value, so that your domain is not added to it.`,
      apex: addressesOnly('Hetzner has no ALIAS record.'),
      txt: txt('Name'),
    },
  },
  {
    servers: /^ns\d+\.digitalocean\.com$/,
    host: {
      id: 'digitalocean',
      name: 'DigitalOcean',
      labels: labels('Hostname', 'Is an alias of'),
      subdomain: cname('Hostname', 'Is an alias of'),
      apex: addressesOnly('DigitalOcean has no ALIAS record.'),
      txt: txt('Hostname'),
    },
  },
  {
    servers: /\.wixdns\.net$/,
    host: {
      id: 'wix',
      name: 'Wix',
      labels: labels('Host name', 'Value'),
      subdomain: `${cname('Host name', 'Value')} A domain that is connected to a Wix site must be disconnected from it first.`,
      apex: addressesOnly('Wix seems to offer only A records for the domain itself.'),
      txt: txt('Host name'),
    },
  },
  {
    servers: /\.porkbun\.com$/,
    host: {
      id: 'porkbun',
      name: 'Porkbun',
      labels: labels('Host', 'Answer'),
      subdomain: `${cname('Host', 'Answer')} Delete the parking records first: ALIAS and *, both to pixie.porkbun.com.`,
      apex: `${alias('ALIAS', 'an empty host')} Delete the parking record first: ALIAS to pixie.porkbun.com.`,
      txt: txt('Host'),
    },
  },
  {
    servers: /^ns\d\w*\.name\.com$/,
    host: {
      id: 'namecom',
      name: 'Name.com',
      labels: labels('Host', 'Answer'),
      subdomain: cname('Host', 'Answer'),
      apex: alias('ANAME', 'an empty host'),
      txt: txt('Host'),
    },
  },
  {
    servers: /\.dnsimple(-edge)?\.(com|net|org)$/,
    host: {
      id: 'dnsimple',
      name: 'DNSimple',
      labels: labels('Name', 'Content'),
      subdomain: cname('Name', 'Content'),
      apex: alias('ALIAS', 'an empty name'),
      txt: txt('Name'),
    },
  },
  {
    servers: /\.nsone\.net$/,
    host: {
      id: 'ns1',
      name: 'NS1 or Netlify DNS',
      subdomain: `${cname()} If the form shows your domain beside the field, leave it there.`,
      apex: alias('ALIAS', '@, or an empty name'),
      txt: txt(),
    },
  },
  {
    servers: /^ns\d\.desec\.(io|org)$/,
    host: {
      id: 'desec',
      name: 'deSEC',
      labels: labels('Subname', 'Target hostname'),
      subdomain: `${cname('Subname', 'Target hostname')} Write a dot at the end of the value.`,
      apex: addressesOnly('deSEC has no ALIAS record, because all its zones are signed.'),
      txt: `${txt('Subname')} Put the value between double quotes if the form asks for them.`,
    },
  },
  {
    servers: /\.rzone\.de$/,
    host: {
      id: 'strato',
      name: 'STRATO',
      subdomain: `Create the subdomain first, then open its DNS settings, choose the CNAME record and enter the value shown, with a dot at its end.`,
      apex: addressesOnly('STRATO offers the CNAME record for subdomains.'),
      txt: `${txt()} It is under the DNS settings of the domain, "TXT and CNAME records".`,
    },
  },
  {
    servers: /^ns\d*\.inwx\.(de|eu|com|net)$/,
    host: {
      id: 'inwx',
      name: 'INWX',
      labels: labels('Name', 'Value'),
      subdomain: cname('Name', 'Value'),
      apex: `${alias('ALIAS', 'an empty name')} It is offered for the domain itself only.`,
      txt: txt('Name'),
    },
  },
  {
    servers: /\.bunny\.net$/,
    host: {
      id: 'bunny',
      name: 'Bunny DNS',
      labels: labels('Hostname', 'Value'),
      subdomain: `${cname('Hostname', 'Value')} Leave CDN acceleration switched off.`,
      apex: flattened('CNAME', 'an empty hostname'),
      txt: txt('Hostname'),
    },
  },
  {
    servers: /\.vercel-dns\.com$/,
    host: {
      id: 'vercel',
      name: 'Vercel DNS',
      labels: labels('Name', 'Value'),
      subdomain: cname('Name', 'Value'),
      apex: alias('ALIAS', 'an empty name'),
      txt: txt('Name'),
    },
  },
  {
    servers: /^ns\d\.hover\.com$/,
    host: {
      id: 'hover',
      name: 'Hover',
      labels: labels('Hostname', 'Target name'),
      subdomain: cname('Hostname', 'Target name'),
      apex: addressesOnly('Hover seems to offer no ALIAS record.'),
      txt: txt('Hostname'),
    },
  },
  {
    servers: /\.dyna-ns\.net$/,
    host: {
      id: 'dynadot',
      name: 'Dynadot',
      subdomain: `${cname()} It belongs under "Subdomain Records".`,
      apex: `${alias('ANAME', 'no name')} It belongs under "Domain Record"; if the list of types has no ANAME, use type A.`,
      txt: `${txt()} It belongs under "Subdomain Records".`,
    },
  },
  {
    servers: /^a\d+-\d+\.akam\.net$/,
    host: {
      id: 'akamai',
      name: 'Akamai Edge DNS',
      subdomain: cname(),
      apex: addressesOnly("AKAMAICDN records can point only to Akamai's own network."),
      txt: txt(),
    },
  },
  {
    servers: /^ns\d\.transip\.(net|nl|eu)$/,
    host: {
      id: 'transip',
      name: 'TransIP',
      labels: labels('Name', 'Value'),
      subdomain: `${cname('Name', 'Value')} Switch "TransIP settings" off first; write a dot at the end of the value if the form asks for it.`,
      apex: alias('ALIAS', '@ as its name'),
      txt: txt('Name'),
    },
  },
  {
    servers: /\.dnsmadeeasy\.com$/,
    host: {
      id: 'dnsmadeeasy',
      name: 'DNS Made Easy',
      labels: labels('Name', 'Alias to'),
      subdomain: `${cname('Name', 'Alias to')} Write a dot at the end of the value, so that your domain is not added to it.`,
      apex: alias('ANAME', 'an empty name'),
      txt: txt('Name'),
    },
  },
]);
