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
  'found.code': 'Code: {code}',
  'found.code-since': 'Code: {code}, since {time}',
} as const;
