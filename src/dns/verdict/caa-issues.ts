import { isWithin, registrableDomain } from '../../rules/hostname.ts';
import type { DnsRecord } from '../dns-facts.ts';
import { chainNames, recordsAt } from '../observed-records.ts';
import type { CaaVerdict } from './caa-verdict.ts';
import { decisiveTag } from './caa-tag.ts';
import { caaVerdict, refusalOf } from './caa-verdict.ts';
import { issue } from './dns-issue.ts';
import type { CaIdentity, DnsIssue, DnsRecordRef } from './dns-verdict.ts';
import type { IssueSubject } from './issue-subject.ts';
import { isOwners, placeOf, recordRef } from './issue-subject.ts';
import { desiredRouting, routingChanges } from './record-changes.ts';
import { serverIssues } from './server-issues.ts';

/** What keeps the authority from issuing, and the records that would permit it. */
export function caaIssues(subject: IssueSubject, verdict: CaaVerdict): readonly DnsIssue[] {
  const { hostname, ca } = subject.wanted;
  if (verdict.verdict === 'yes' || ca?.domains[0] === undefined) return [];
  const at = verdict.at ?? hostname;
  if (verdict.verdict === 'unknown') return [unknownCaa(subject, { ...verdict, at }, ca)];
  return [forbidden(subject, { ...verdict, at }, ca)];
}

/** A set that forbids, at the name where it is. */
type Forbidding = CaaVerdict & { readonly at: string };

function unknownCaa(subject: IssueSubject, { code, at }: Forbidding, ca: CaIdentity): DnsIssue {
  const { facts, wanted } = subject;
  const [alias] = recordsAt(facts, at, ['CAA']).filter(({ type }) => type === 'CNAME');
  if (code === 'SeveralCnames') return severalAliases(subject, at);
  const isLoop = code === 'AliasLoop' || code === 'TooManyAliases';
  if (isLoop && alias) {
    const create = at === wanted.hostname ? [desiredRouting(subject)] : [];
    return issue(code, placeOf(subject, at), { delete: [recordRef(subject, alias)], create });
  }
  return serverIssues(subject, code, {
    start: at,
    types: ['CAA'],
    evaluate: (seen) => caaVerdict(seen, wanted.hostname, ca),
    tooLarge: (name) => replacement(subject, name, ca),
  });
}

/** At the hostname as for its addresses; elsewhere one of them is enough, and nobody here can say which. */
function severalAliases(subject: IssueSubject, at: string): DnsIssue {
  const place = placeOf(subject, at);
  if (at === subject.wanted.hostname) return issue('SeveralCnames', place, routingChanges(subject));
  const aliases = recordsAt(subject.facts, at, ['CAA']).filter(({ type }) => type === 'CNAME');
  return issue('SeveralCnames', place, { delete: aliases.slice(1).map((record) => recordRef(subject, record)) });
}

/** All of a set that is too large to be read, and the one record that permits. */
const replacement = (subject: IssueSubject, name: string, ca: CaIdentity) => ({
  delete: [recordRef(subject, { name, type: 'CAA', value: '*' })],
  create: [permitting(subject, { name, tag: 'issue' }, ca)],
});

function forbidden(subject: IssueSubject, verdict: Forbidding, ca: CaIdentity): DnsIssue {
  const { code, at } = verdict;
  const { wanted, facts } = subject;
  const place = placeOf(subject, at);
  const start = startOf(subject, at);
  const found = verdict.records.map((record) => recordRef(subject, record));
  if (start === at && !isOwners(subject, at)) return issue(code, place, { found, create: above(subject, verdict, ca) });
  if (isOwners(subject, at)) return issue(code, place, { found, ...changesOf(subject, verdict, ca) });
  if (wanted.platformDomains.some((domain) => isWithin(at, domain)))
    return issue(code, place, { found, act: 'AskPlatform' });
  const alias = recordsAt(facts, wanted.hostname, ['CAA']).find(({ type }) => type === 'CNAME');
  const desired = desiredRouting(subject);
  if (start !== wanted.hostname || !alias || alias.value === desired.value)
    return issue(code, place, { found, act: 'AskAboutCaa' });
  return issue(code, place, { delete: [recordRef(subject, alias)], create: [desired] });
}

/** The name of the climb whose aliases lead to the set. */
function startOf({ facts, wanted: { hostname } }: IssueSubject, at: string): string {
  const labels = hostname.split('.');
  const climb = labels.map((_, index) => labels.slice(index).join('.'));
  return climb.find((name) => chainNames(facts, name, ['CAA']).includes(at)) ?? at;
}

/** Records that nobody can follow are deleted; one that permits is created unless what remains does. */
function changesOf(subject: IssueSubject, { code, at, records }: Forbidding, ca: CaIdentity) {
  const tag = tagIn(records, ca);
  const isHarmful = ({ caa }: DnsRecord) =>
    caa !== undefined &&
    (code === 'CaaCriticalUnknown' || caa.tag === tag) &&
    (code === 'CaaCriticalUnknown' || code === 'CaaMalformed') &&
    refusalOf([caa], ca) === code;
  const harmful = records.filter(isHarmful);
  const rest = records.filter((record) => !harmful.includes(record)).flatMap(({ caa }) => caa ?? []);
  const isEnough = harmful.length > 0 && refusalOf(rest, ca) === null;
  return {
    delete: harmful.map((record) => recordRef(subject, record)),
    create: isEnough ? [] : [permitting(subject, { name: at, tag, code }, ca)],
  };
}

/** A registry's set forbids: one of the domain's own takes its place, with what the registry's permits (RFC 8659 section 3). */
function above(subject: IssueSubject, { code, records }: Forbidding, ca: CaIdentity): readonly DnsRecordRef[] {
  const name = registrableDomain(subject.wanted.hostname);
  const tag = tagIn(records, ca);
  const kept = records.filter(({ caa }) => caa?.tag === tag && refusalOf([caa], ca) === 'CaaForbidsAuthority');
  return [
    ...kept.map(({ value }) => recordRef(subject, { name, type: 'CAA', value })),
    permitting(subject, { name, tag, code }, ca),
  ];
}

const tagIn = (records: readonly DnsRecord[], ca: CaIdentity): 'issue' | 'issuewild' =>
  decisiveTag(
    records.flatMap(({ caa }) => caa ?? []),
    ca,
  );

interface Permitting {
  readonly name: string;
  readonly tag: 'issue' | 'issuewild';
  /** why the set forbids */
  readonly code?: string;
}

/** As narrow as the sets that others wrote: with our account or method where those were required. */
function permitting(subject: IssueSubject, { name, tag, code }: Permitting, ca: CaIdentity): DnsRecordRef {
  const domain = ca.domains[0]?.toLowerCase() ?? '';
  const account = code === 'CaaForbidsAccount' && ca.accountUri !== null ? `; accounturi=${ca.accountUri}` : '';
  const method = code === 'CaaForbidsMethod' && ca.method !== null ? `; validationmethods=${ca.method}` : '';
  return recordRef(subject, { name, type: 'CAA', value: `0 ${tag} "${domain}${account}${method}"` });
}
