import { isWithin, registrableDomain } from '../../rules/hostname.ts';
import type { DnsRecord } from '../dns-facts.ts';
import { chainNames, recordsAt, withNamesAbove } from '../observed-records.ts';
import type { CaaVerdict } from './caa-verdict.ts';
import { decisiveTag } from './caa-profile.ts';
import { caaVerdict, refusalOf } from './caa-verdict.ts';
import type { IssueSubject, NamedRecord, RecordChanges } from './dns-issue.ts';
import { isOwners, issueAt } from './dns-issue.ts';
import type { CaIdentity, DnsIssue } from './dns-verdict.ts';
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
    return issueAt(subject, code, { name: at, delete: [alias], create });
  }
  return serverIssues(subject, code, {
    start: at,
    types: ['CAA'],
    evaluate: (seen) => caaVerdict(seen, wanted.hostname, ca),
    // All of a set that is too large to be read gives way to the one record that permits.
    tooLarge: (name) => ({ delete: [{ name, type: 'CAA', value: '*' }], create: [permitting(name, 'issue', ca)] }),
  });
}

/** At the hostname as for its addresses; elsewhere one of them is enough, and nobody here can say which. */
function severalAliases(subject: IssueSubject, at: string): DnsIssue {
  if (at === subject.wanted.hostname) return issueAt(subject, 'SeveralCnames', routingChanges(subject));
  const aliases = recordsAt(subject.facts, at, ['CAA']).filter(({ type }) => type === 'CNAME');
  return issueAt(subject, 'SeveralCnames', { name: at, delete: aliases.slice(1) });
}

function forbidden(subject: IssueSubject, verdict: Forbidding, ca: CaIdentity): DnsIssue {
  const { code, at: name, records: found } = verdict;
  const { wanted, facts } = subject;
  const start = startOf(subject, name);
  if (isOwners(subject, name)) return issueAt(subject, code, { name, found, ...changesOf(verdict, ca) });
  if (start === name) return issueAt(subject, code, { name, found, create: above(subject, verdict, ca) });
  if (wanted.platformDomains.some((domain) => isWithin(name, domain)))
    return issueAt(subject, code, { name, found, act: 'AskPlatform' });
  const alias = recordsAt(facts, wanted.hostname, ['CAA']).find(({ type }) => type === 'CNAME');
  const desired = desiredRouting(subject);
  if (start !== wanted.hostname || !alias || alias.value === desired.value)
    return issueAt(subject, code, { name, found, act: 'AskAboutCaa' });
  return issueAt(subject, code, { name, delete: [alias], create: [desired] });
}

/** The name of the climb whose aliases lead to the set. */
const startOf = ({ facts, wanted: { hostname } }: IssueSubject, at: string): string =>
  withNamesAbove(hostname).find((name) => chainNames(facts, name, ['CAA']).includes(at)) ?? at;

/** Records that nobody can follow are deleted; one that permits is created unless what remains does. */
function changesOf({ code, at, records }: Forbidding, ca: CaIdentity): RecordChanges {
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
    delete: harmful,
    create: isEnough ? [] : [permitting(at, tag, ca, code)],
  };
}

/** A registry's set forbids: one of the domain's own takes its place, with what the registry's permits (RFC 8659 section 3). */
function above({ wanted }: IssueSubject, { code, records }: Forbidding, ca: CaIdentity): readonly NamedRecord[] {
  const name = registrableDomain(wanted.hostname);
  const tag = tagIn(records, ca);
  const kept = records.filter(({ caa }) => caa?.tag === tag && refusalOf([caa], ca) === 'CaaForbidsAuthority');
  return [...kept.map((record) => ({ ...record, name })), permitting(name, tag, ca, code)];
}

const tagIn = (records: readonly DnsRecord[], ca: CaIdentity): 'issue' | 'issuewild' =>
  decisiveTag(
    records.flatMap(({ caa }) => caa ?? []),
    ca,
  );

/** As narrow as the sets that others wrote: with our account or method where those were required. `code`: why the set forbids. */
function permitting(name: string, tag: 'issue' | 'issuewild', ca: CaIdentity, code?: string): NamedRecord {
  const domain = ca.domains[0]?.toLowerCase() ?? '';
  const account = code === 'CaaForbidsAccount' && ca.accountUri !== null ? `; accounturi=${ca.accountUri}` : '';
  const method = code === 'CaaForbidsMethod' && ca.method !== null ? `; validationmethods=${ca.method}` : '';
  return { name, type: 'CAA', value: `0 ${tag} "${domain}${account}${method}"` };
}
