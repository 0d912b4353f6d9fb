import type { IssueActor } from '../../../rules/codes/code-rows.ts';
import type { RecordStatus } from '../../../rules/desired-records.ts';

/** Who has to act, for somebody who has never heard of DNS. */
export const actorWords: Readonly<Record<IssueActor, string>> = {
  Owner: 'You, at your DNS provider',
  DnsHost: 'Your DNS provider',
  Registrar: 'You, at your registrar',
  Cdn: 'You, in the settings of your CDN or proxy',
  Platform: 'Us: there is nothing for you to do',
};

/** What was found of a record, in a word or two. */
export const recordStatusWords: Readonly<Record<RecordStatus, string>> = {
  Found: 'Found',
  Missing: 'Missing',
  Wrong: 'Different value',
  Stale: 'Not on all servers yet',
  Conflicting: 'Blocked by another record',
  Unknown: 'Not checked yet',
};

/** The DNS records of a domain: what to do with each, and what was found. */
export const recordMessages = {
  'records.change': { one: 'Record to change', other: 'Records to change' },
  'records.add': { one: 'Record to add', other: 'Records to add' },
  'records.needed-title': { one: 'Record you need', other: 'Records you need' },
  'records.keep': { one: 'Record to keep', other: 'Records to keep' },
  'records.later': {
    one: 'You can add this record already. We check it as soon as the domain is accepted.',
    other: 'You can add these records already. We check them as soon as the domain is accepted.',
  },
  'records.kept': {
    one: 'We found it in your DNS. Keep it for as long as you use the domain.',
    other: 'We found them in your DNS. Keep them for as long as you use the domain.',
  },
  'records.act': 'What to do',
  'records.act-Add': 'Add this record',
  'records.act-Need': 'You need this record',
  'records.act-Delete': 'Delete this record',
  'records.act-Keep': 'Keep this record',
  'records.one-of': 'Add one of these:',
  'records.act-Either': 'either this',
  'records.act-Or': { one: 'or this', other: 'or these {count} together:' },
  'records.act-And': 'and this',
  'records.type': 'Type',
  'records.name': 'Name',
  'records.value': 'Value',
  'records.ttl': 'TTL',
  'records.in-dns': 'In DNS',
  'records.now': 'Now: {found}',
  'records.there': 'Found',
  'records.needed': 'Missing',
  'records.alias': 'ALIAS or ANAME',
  'records.all': 'every record of this type',
  'records.copy': 'Copy',
  'records.copy-name': 'Copy name',
  'records.copy-value': 'Copy value',
  'records.full-name': 'Full name: {name}',
  'records.full-names': 'Does your DNS provider ask for full names?',
  'records.caa-fields': 'If there are separate fields: flags {flags}, tag {tag}, value {value}.',
  'records.alternative':
    'No ALIAS, ANAME or “CNAME flattening” in your DNS form? Add the address records instead, all of them.',
  'records.where': 'Your DNS is usually managed at the company where you bought the domain.',
  'records.host': 'Your DNS is at {host}',
  'found.title': 'What we found',
  'found.warning': 'Warning: {title}',
  'found.who': 'Who acts: {who}.',
  'found.hours': 'A registry can take up to {count} hours to show the change.',
  'found.record': 'Found: {record}',
  'found.servers': 'What each server said',
  'found.exactly': 'For support',
  'found.code-since': 'Code: {code}, since {time}',
} as const;

/**
 * How to create a record at a DNS host, one sentence or two for each code of src/rules/dns-hosts/dns-host-advice.ts. `name` and
 * `value` are what the host's own form calls its fields; what the forms say is quoted as they say it.
 */
export const dnsHostMessages = {
  'host.cname':
    'Choose the type CNAME. In the field “{name}”, enter the short name shown (your domain is added automatically); in the field “{value}”, the value shown.',
  'host.cname-unlabelled':
    'Choose the type CNAME. Enter the short name shown (your domain is added automatically) and the value shown.',
  'host.txt':
    'Choose the type TXT. In the field “{name}”, enter the name shown: with its underscore, without your domain.',
  'host.txt-unlabelled': 'Choose the type TXT. Enter the name shown: with its underscore, without your domain.',
  'host.alias':
    'Choose the type ALIAS, enter @ as the name and the value shown. Delete older A and AAAA records of the domain itself.',
  'host.alias-empty':
    'Choose the type ALIAS, leave the name empty and enter the value shown. Delete older A and AAAA records of the domain itself.',
  'host.aname-empty':
    'Choose the type ANAME, leave the name empty and enter the value shown. Delete older A and AAAA records of the domain itself.',
  'host.flattened':
    'Choose the type CNAME, enter @ as the name and the value shown. This provider allows that for the domain itself.',
  'host.flattened-empty':
    'Choose the type CNAME, leave the name empty and enter the value shown. This provider allows that for the domain itself.',
  'host.addresses':
    'Create the A and AAAA records shown. If none are shown, connect www instead and let your registrar forward the bare domain to it.',
  'host.final-dot': 'End the value with a dot, so that your domain isn’t added to it.',
  'host.quotes': 'Put the value between double quotes.',
  'host.cloudflare-proxy':
    'With the proxy on (orange cloud), add the TXT record shown too and set SSL/TLS to “Full”. “DNS only” needs neither.',
  'host.cloudflare-proxy-without-txt':
    'Leave the proxy off (“DNS only”). If you want it on (orange cloud), set SSL/TLS to “Full”: this page then shows a TXT record that you need as well.',
  'host.cloudflare-proxy-apex':
    'With the proxy on (orange cloud), set SSL/TLS to “Full”. “DNS only” doesn’t need that.',
  'host.route53-alias-off': 'Leave “Alias” off.',
  'host.route53-aws-only': 'Alias records of Route 53 can only point to AWS resources or to records of the same zone.',
  'host.google-canonical': 'Google Cloud calls the value “canonical name”.',
  'host.google-no-alias': 'These forms have no ALIAS record.',
  'host.google-api-alias': 'Google Cloud’s command line and API have ALIAS records, for zones without DNSSEC.',
  'host.squarespace-defaults': 'If there are Squarespace defaults for this name, remove them first.',
  'host.squarespace-type-a': 'If ALIAS isn’t in the list, use type A.',
  'host.azure-alias-off': 'Leave “Alias record set” at No.',
  'host.azure-own-only': 'Alias record sets of Azure can only point to Azure resources or to records of the same zone.',
  'host.godaddy-existing': 'If the name, such as www, already exists, edit that record.',
  'host.godaddy-no-alias': 'GoDaddy has no ALIAS record and doesn’t allow a CNAME at @.',
  'host.godaddy-parked': 'If there is an A record “Parked” or “WebsiteBuilder Site”, delete it.',
  'host.namecheap-advanced': 'The records are under “Advanced DNS”.',
  'host.namecheap-redirect': 'If there is a “URL Redirect” or A record with the same host, delete it.',
  'host.ionos-no-cname': 'IONOS advises against a CNAME for the domain itself.',
  'host.ovh-no-alias': 'OVHcloud has no ALIAS record.',
  'host.gandi-no-dnssec': 'It works for zones without DNSSEC.',
  'host.hetzner-no-alias': 'Hetzner has no ALIAS record.',
  'host.digitalocean-no-alias': 'DigitalOcean has no ALIAS record.',
  'host.wix-disconnect': 'If the domain is connected to a Wix site, disconnect it first.',
  'host.wix-a-only': 'Wix seems to offer only A records for the domain itself.',
  'host.porkbun-parking': 'First delete the parking records: ALIAS and *, both to pixie.porkbun.com.',
  'host.porkbun-parking-apex': 'First delete the parking record: ALIAS to pixie.porkbun.com.',
  'host.ns1-domain-beside': 'If the form shows your domain beside the field, leave it there.',
  'host.desec-no-alias': 'deSEC has no ALIAS record, because it signs all of its zones.',
  'host.strato-subdomain':
    'Create the subdomain, open its DNS settings, choose the CNAME record, and enter the value shown with a dot at the end.',
  'host.strato-cname': 'STRATO has CNAME records for subdomains only.',
  'host.strato-txt': 'It’s in the domain’s DNS settings, under “TXT and CNAME records”.',
  'host.inwx-apex-only': 'INWX offers it for the domain itself only.',
  'host.bunny-acceleration': 'Leave CDN acceleration off.',
  'host.hover-no-alias': 'Hover seems to have no ALIAS record.',
  'host.dynadot-subdomain': 'Enter it under “Subdomain Records”.',
  'host.dynadot-domain': 'Enter it under “Domain Record”. If ANAME isn’t in the list, use type A.',
  'host.akamai-own-only': 'AKAMAICDN records can only point to Akamai’s own network.',
  'host.transip-settings': 'First switch “TransIP settings” off.',
} as const;
