import type { DifferingDelegations, DnsFacts, DnsRecord } from '../dns-facts.ts';
import { desiredRecords } from '../../rules/desired-records.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import { verdictCodes } from '../../rules/verdict-codes.ts';
import type { CaaVerdict } from './caa-verdict.ts';
import type { DnsIssue, DnsVerdict, Verdict, DesiredDns } from './dns-verdict.ts';
import { chainNames, outcomesAt, recordsAt } from '../observed-records.ts';

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
  const found = recordsAt(facts, wanted.hostname, ['A', 'AAAA']);
  const offending = routing.code === 'StrayAddress' ? found.filter((record) => isStray(record, wanted)) : found;
  const create = creation(subject);
  const message = describe(routing.code, subject, wanted.hostname);
  if (offending.length === 0) return [issue(routing.code, message, '', create)];
  return offending
    .slice(0, shownRecords)
    .map((record) => issue(routing.code, message, line(record), `delete ${line(record)} and ${create}`));
}

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

const isStray = (record: DnsRecord, wanted: DesiredDns): boolean =>
  record.type !== 'CNAME' && !wanted.platformAddresses.includes(record.value);

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
function describe(code: DnsCode, { facts, wanted, zone }: Case, name: string): string {
  const { cnameDomain, ca } = wanted;
  const sentence = verdictCodes[code].sentence({
    name,
    zone: zone ?? name,
    cnameDomain,
    authority: ca?.domains[0] ?? '',
  });
  return code === 'NoUsableAnswer' ? `${sentence}${limitNote(facts, name)}` : sentence;
}

/** A note when something along the aliases exceeded the limits of a check; '' otherwise. */
function limitNote(facts: DnsFacts, start: string): string {
  const names = new Set(chainNames(facts, start, ['A', 'AAAA', 'TXT']));
  const asked = facts.asked.some(
    ({ question, outcome }) => outcome === 'bounds-exceeded' && names.has(question.split(' ')[0] ?? ''),
  );
  const exceeded = [...names].some((name) =>
    outcomesAt(facts, name, ['A', 'AAAA', 'TXT']).some(
      (outcome) => outcome.kind === 'unknown' && outcome.cause === 'bounds-exceeded',
    ),
  );
  return asked || exceeded
    ? ': bounds-exceeded, there is more than one check reads (64 records of one type at a name, 100 packets)'
    : '';
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
  const create = `create ${name}. TXT "${value}"`;
  const message = describe(ownership.code, subject, name);
  const wrong = ownership.code === 'TxtWrong' ? recordsAt(facts, name, ['TXT'])[0] : undefined;
  return wrong
    ? [issue(ownership.code, message, line(wrong), `delete ${line(wrong)} and ${create}`)]
    : [issue(ownership.code, message, '', create)];
}

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
  if (verdict.verdict === 'unknown') {
    const message = `the CAA records of ${at} could not be read, so no certificate may be ordered`;
    return [issue(verdict.code, message, '', `make the name servers of ${at} answer CAA queries`)];
  }
  const offending = verdict.records.slice(0, shownRecords).map(line).join('; ');
  const forbidden = verdict.code === 'CaaCriticalUnknown' || verdict.code === 'CaaMalformed';
  const first = forbidden ? `delete the record that cannot be understood, and ` : '';
  const message = describe(verdict.code, subject, at);
  return [issue(verdict.code, message, offending, `${first}add ${at}. CAA 0 issue "${domain}"`)];
}
