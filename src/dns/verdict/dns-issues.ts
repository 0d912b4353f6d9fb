import type { DifferingDelegations, DnsFacts, DnsRecord, NameFacts, SourceView } from '../dns-facts.ts';
import { desiredRecords } from '../../rules/desired-records.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import { isProxyCode, verdictCodes } from '../../rules/verdict-codes.ts';
import type { CaaVerdict } from './caa-verdict.ts';
import { caaVerdict } from './caa-verdict.ts';
import type { DnsIssue, DnsVerdict, Verdict, DesiredDns } from './dns-verdict.ts';
import type { ObservedType } from '../observed-records.ts';
import { chainNames, recordsAt, targetAddresses } from '../observed-records.ts';
import { ownershipVerdict } from './ownership-verdict.ts';
import { isOwnershipText } from './proofs/ownership-by-txt.ts';
import { proxyIssue } from './proxy-issues.ts';
import { routingVerdict } from './routing-verdict.ts';
import { disagreement, silence } from './server-issues.ts';

/** A record as a line of a master file. */
const line = ({ name, ttl, type, value }: DnsRecord): string => {
  const dot = type === 'CNAME' || type === 'NS' ? '.' : '';
  return `${name}. ${ttl} IN ${type} ${type === 'TXT' ? `"${value}"` : value}${dot}`;
};

interface Case {
  readonly facts: DnsFacts;
  readonly wanted: DesiredDns;
  readonly zone: string | null;
}

/** What is wrong with the routing records: each issue has the offending record, what to delete and what to create. */
export function routingIssues(subject: Case, routing: DnsVerdict['routing']): readonly DnsIssue[] {
  if (routing.verdict === 'yes') return [];
  const { facts, wanted } = subject;
  const doubled = doubledZone(subject);
  if (doubled) return [doubled];
  const differing = Object.values(facts.names).find((name) => name.differing)?.differing;
  if (routing.code === 'DelegationsDiffer' && differing) return [delegationsDiffer(subject, differing)];
  if (isProxyCode(routing.code)) return [proxyIssue(subject, routing.code)];
  if (routing.verdict === 'unknown' && !saysRecords(routing.code))
    return serverIssues(subject, routing, routingQuestion(subject));
  const found = recordsAt(facts, wanted.hostname, ['A', 'AAAA']);
  const offending = routing.code === 'StrayAddress' ? found.filter(isStray(subject)) : found;
  const create = creation(subject);
  const message = describe(routing.code, subject, wanted.hostname);
  if (offending.length === 0) return [issue(routing.code, message, '', create)];
  return offending
    .slice(0, shownRecords)
    .map((record) => issue(routing.code, message, line(record), `delete ${line(record)} and ${create}`));
}

/** Unknown only because a proxy may stand at the address: what there is to say is about the records. */
const saysRecords = (code: DnsCode): boolean => code === 'StrayAddress' || code === 'WrongTarget';

/** When many records are wrong, as many as a person would delete by hand. */
const shownRecords = 16;

/** Whoever controls one of the parent's name servers can delegate a name to themselves: the owner has to check. */
function delegationsDiffer(subject: Case, { zone, views }: DifferingDelegations): DnsIssue {
  const answers = views.map(
    ({ by, names }) => `${by.join(', ')}: ${names.length === 0 ? 'no delegation' : names.join(', ')}`,
  );
  const message = `${describe('DelegationsDiffer', subject, zone)} (${answers.join('; ')})`;
  const fix = `make every name server above ${zone} give the same NS records for it, and remove name servers that are no longer yours`;
  return issue('DelegationsDiffer', message, '', fix);
}

const isStray =
  ({ facts, wanted }: Case) =>
  ({ type, value }: DnsRecord): boolean =>
    type !== 'CNAME' &&
    !wanted.platformAddresses.includes(value) &&
    !targetAddresses(facts, wanted.target).includes(value);

/** Where a verdict comes from: the name and types that were queried, and how facts are judged by them. */
interface VerdictQuestion {
  readonly start: string;
  readonly types: readonly ObservedType[];
  readonly evaluate: (facts: DnsFacts) => Verdict;
}

const routingQuestion = ({ wanted }: Case): VerdictQuestion => ({
  start: wanted.hostname,
  types: ['A', 'AAAA'],
  evaluate: (facts) => routingVerdict(facts, wanted),
});

const txtQuestion = (wanted: DesiredDns, txt: NonNullable<DesiredDns['txt']>): VerdictQuestion => ({
  start: txt.name,
  types: ['TXT'],
  evaluate: (facts) => ownershipVerdict(facts, { ...wanted, txtRequired: true }, routingVerdict(facts, wanted)),
});

const caaQuestion = ({ wanted: { hostname, ca } }: Case, start: string): VerdictQuestion => ({
  start,
  types: ['CAA'],
  evaluate: (facts) => caaVerdict(facts, hostname, ca),
});

/** Nothing is wrong with the records as far as anybody can tell: the issue is about the servers. */
function serverIssues(
  subject: Case,
  verdict: Verdict,
  { start, types, evaluate }: VerdictQuestion,
): readonly DnsIssue[] {
  const { facts } = subject;
  const sentence = describe(verdict.code, subject, start);
  if (verdict.code === 'TooManyAliases') return [issue(verdict.code, sentence, '', creation(subject))];
  if (verdict.code !== 'ServersDisagree') {
    const { message, fix } = silence(facts, start, types);
    return [issue(verdict.code, `${sentence} (${message})`, '', fix)];
  }
  const alone = (at: NameFacts, view: SourceView): DnsFacts => ({
    ...facts,
    names: { ...facts.names, [at.name]: { ...at, authorities: [view] } },
  });
  const disagreeing = chainNames(facts, start, types)
    .flatMap((name) => facts.names[name] ?? [])
    .find((at) => new Set(at.authorities.map((view) => evaluate(alone(at, view)).verdict).filter(isDefinite)).size > 1);
  if (!disagreeing)
    return [issue(verdict.code, sentence, '', `make all name servers of ${start} give the same answer`)];
  const isRight = (view: SourceView) => evaluate(alone(disagreeing, view)).verdict === 'yes';
  const { message, fix } = disagreement(disagreeing, types, isRight);
  return [issue(verdict.code, `${sentence} (${message})`, '', fix)];
}

const isDefinite = (verdict: Verdict['verdict']): boolean => verdict !== 'unknown';

const issue = (code: DnsCode, message: string, record: string, fix: string): DnsIssue => ({
  code,
  message,
  record,
  fix,
});

function creation({ wanted, zone }: Case): string {
  const [record] = desiredRecords({ hostname: wanted.hostname, zone, target: wanted.target, txt: null });
  if (record?.type !== 'ALIAS') return `create ${wanted.hostname}. CNAME ${wanted.target}.`;
  const addresses = [...new Set(wanted.platformAddresses)].join(', ');
  const or = addresses === '' ? '' : ` (or address records ${addresses})`;
  return `create an ALIAS or ANAME record at ${wanted.hostname} with value ${wanted.target}${or}`;
}

/** The sentence for a code, about a name. */
function describe(code: DnsCode, { wanted, zone }: Case, name: string): string {
  const { cnameDomain, ca } = wanted;
  const authority = ca?.domains[0] ?? '';
  return verdictCodes[code].sentence({ name, zone: zone ?? name, cnameDomain, authority });
}

/** The record exists, but one zone too deep: a form appended the zone to a name that already ended in it. */
function doubledZone(subject: Case): DnsIssue | null {
  const { facts, wanted, zone } = subject;
  if (zone === null) return null;
  const doubled = `${wanted.hostname}.${zone}`;
  const record = recordsAt(facts, doubled, ['A']).find(
    ({ type, value }) => type === 'CNAME' && value === wanted.target,
  );
  if (!record) return null;
  const name = wanted.hostname === zone ? '@' : wanted.hostname.slice(0, -zone.length - 1);
  return issue(
    'DoubledZone',
    describe('DoubledZone', subject, wanted.hostname),
    line(record),
    `delete it and create one with the name '${name}' and the value ${wanted.target}`,
  );
}

/** What is wrong with the ownership record, if one is needed. */
export function ownershipIssues(subject: Case, ownership: Verdict, routing: Verdict): readonly DnsIssue[] {
  const { facts, wanted } = subject;
  if (ownership.code === 'HostnameTooLongForTxt') return [tooLong(subject)];
  if (ownership.verdict === 'yes' || !wanted.txt || (ownership.code === routing.code && routing.verdict !== 'yes'))
    return [];
  const { name, value } = wanted.txt;
  if (ownership.verdict === 'unknown') return serverIssues(subject, ownership, txtQuestion(wanted, wanted.txt));
  const create = `create ${name}. TXT "${value}"`;
  const message = describe(ownership.code, subject, name);
  const wrong = ownership.code === 'TxtWrong' ? recordsAt(facts, name, ['TXT']).find(isOurTxt) : undefined;
  return wrong
    ? [issue(ownership.code, message, line(wrong), `delete ${line(wrong)} and ${create}`)]
    : [issue(ownership.code, message, '', create)];
}

const isOurTxt = ({ type, value }: DnsRecord): boolean => type === 'TXT' && isOwnershipText(value);

function tooLong(subject: Case): DnsIssue {
  const { hostname, target } = subject.wanted;
  const fix = `create ${hostname}. CNAME ${target}., which proves ownership on its own unless another account holds the name; or use a shorter hostname`;
  return issue('HostnameTooLongForTxt', describe('HostnameTooLongForTxt', subject, hostname), '', fix);
}

/** What keeps the authority from issuing, and the CAA record that would permit it. */
export function caaIssues(subject: Case, verdict: CaaVerdict): readonly DnsIssue[] {
  const { wanted } = subject;
  const domain = wanted.ca?.domains[0]?.toLowerCase();
  if (verdict.verdict === 'yes' || domain === undefined) return [];
  const at = verdict.at ?? wanted.hostname;
  if (verdict.verdict === 'unknown') return serverIssues(subject, verdict, caaQuestion(subject, at));
  const offending = verdict.records.slice(0, shownRecords).map(line).join('; ');
  const forbidden = verdict.code === 'CaaCriticalUnknown' || verdict.code === 'CaaMalformed';
  const first = forbidden ? `delete the record that cannot be understood, and ` : '';
  const message = describe(verdict.code, subject, at);
  return [issue(verdict.code, message, offending, `${first}add ${at}. CAA 0 issue "${domain}"`)];
}
