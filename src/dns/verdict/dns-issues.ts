import type { DifferingDelegations, DnsFacts, DnsRecord } from '../dns-facts.ts';
import { desiredRecords } from '../../rules/desired-records.ts';
import type { CaaVerdict } from './caa-verdict.ts';
import { verdictCodes } from './verdict-codes.ts';
import type { DnsIssue, DnsVerdict, Verdict, DesiredDns } from './dns-verdict.ts';
import { chainNames, outcomesAt, recordsAt } from './observed-records.ts';

/** One record as a line of a master file. */
const line = ({ name, ttl, type, value }: DnsRecord): string => {
  const dot = type === 'CNAME' || type === 'NS' ? '.' : '';
  return `${name}. ${ttl} IN ${type} ${type === 'TXT' ? `"${value}"` : value}${dot}`;
};

interface Case {
  readonly facts: DnsFacts;
  readonly wanted: DesiredDns;
  readonly zone: string | null;
}

/** What is wrong with the route, each with the offending record, what to delete and what to create. */
export function routingIssues(subject: Case, routing: DnsVerdict['routing']): readonly DnsIssue[] {
  if (routing.verdict === 'yes') return [];
  const { facts, wanted } = subject;
  const doubled = doubledZone(subject);
  if (doubled) return [doubled];
  const differing = Object.values(facts.names).find((name) => name.differing)?.differing;
  if (routing.code === verdictCodes.DelegationsDiffer && differing) return [delegationsDiffer(differing)];
  const found = recordsAt(facts, wanted.hostname, ['A', 'AAAA']);
  const offending =
    routing.code === verdictCodes.StrayAddress ? found.filter((record) => isStray(record, wanted)) : found;
  const create = creation(subject);
  const message = describe(routing.code, subject);
  if (offending.length === 0) return [issue(routing.code, message, '', create)];
  return offending
    .slice(0, shownRecords)
    .map((record) => issue(routing.code, message, line(record), `delete ${line(record)} and ${create}`));
}

/** Of records that are all wrong, as many as somebody deletes by hand. */
const shownRecords = 16;

/** Whoever holds one of the parent's name servers can delegate a name to himself: the owner has to look. */
function delegationsDiffer({ zone, views }: DifferingDelegations): DnsIssue {
  const told = views.map(
    ({ by, names }) => `${by.join(', ')}: ${names.length === 0 ? 'no delegation' : names.join(', ')}`,
  );
  const message = `the name servers above ${zone} do not agree on who serves it (${told.join('; ')})`;
  const fix = `make every name server above ${zone} give the same NS records for it, and remove name servers that are no longer yours`;
  return issue(verdictCodes.DelegationsDiffer, message, '', fix);
}

const isStray = (record: DnsRecord, wanted: DesiredDns): boolean =>
  record.type !== 'CNAME' && !wanted.platformAddresses.includes(record.value);

const issue = (code: string, message: string, record: string, fix: string): DnsIssue => ({
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

function describe(code: string, { facts, wanted: { hostname, cnameDomain } }: Case): string {
  const texts: Readonly<Record<string, string>> = {
    [verdictCodes.RecordMissing]: `no record stands at ${hostname}`,
    [verdictCodes.WrongTarget]: `${hostname} leads somewhere else`,
    [verdictCodes.OtherProjectTarget]: `${hostname} points to another project's target`,
    [verdictCodes.BareCnameDomain]: `${hostname} points to ${cnameDomain} itself instead of the project's own target below it`,
    [verdictCodes.StrayAddress]: `an address at ${hostname} is not the platform's`,
    [verdictCodes.AliasLoop]: `the aliases of ${hostname} never end`,
    [verdictCodes.ServersDisagree]: `the name servers of ${hostname} give different answers`,
    [verdictCodes.NoUsableAnswer]: `no name server gave a usable answer for ${hostname}${tooMuch(facts, hostname)}`,
  };
  return texts[code] ?? `${hostname} is not set up`;
}

/** Says it where something on the way was larger than a look takes. */
function tooMuch(facts: DnsFacts, start: string): string {
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
    ? ': bounds-exceeded, there is more than a look takes (64 records of a kind at a name, 100 packets)'
    : '';
}

/** The record is there, one zone too deep: a form appended the zone to a name that already had it. */
function doubledZone({ facts, wanted, zone }: Case): DnsIssue | null {
  if (zone === null) return null;
  const doubled = `${wanted.hostname}.${zone}`;
  const record = recordsAt(facts, doubled, ['A']).find(
    ({ type, value }) => type === 'CNAME' && value === wanted.target,
  );
  if (!record) return null;
  const name = wanted.hostname === zone ? '@' : wanted.hostname.slice(0, -zone.length - 1);
  const message = `the record stands at ${doubled}: the form appended ${zone} to the full name`;
  return issue(
    verdictCodes.DoubledZone,
    message,
    line(record),
    `delete it and create one with the name '${name}' and the value ${wanted.target}`,
  );
}

/** What is wrong with the ownership record, where one is needed. */
export function ownershipIssues({ facts, wanted }: Case, ownership: Verdict, routing: Verdict): readonly DnsIssue[] {
  if (ownership.code === verdictCodes.HostnameTooLongForTxt) return [tooLong(wanted)];
  if (ownership.verdict === 'yes' || !wanted.txt || (ownership.code === routing.code && routing.verdict !== 'yes'))
    return [];
  const { name, value } = wanted.txt;
  const create = `create ${name}. TXT "${value}"`;
  const wrong = recordsAt(facts, name, ['TXT'])[0];
  if (ownership.code === verdictCodes.TxtWrong && wrong) {
    return [
      issue(
        ownership.code,
        `the ownership record at ${name} has another value`,
        line(wrong),
        `delete ${line(wrong)} and ${create}`,
      ),
    ];
  }
  const message =
    ownership.verdict === 'unknown'
      ? `no name server gave a usable answer for ${name}${tooMuch(facts, name)}`
      : `no ownership record stands at ${name}`;
  return [issue(ownership.code, message, '', create)];
}

function tooLong({ hostname, target }: DesiredDns): DnsIssue {
  const message = `${hostname} is so long that no name for an ownership record fits below it`;
  const fix = `create ${hostname}. CNAME ${target}., which proves ownership by itself unless another account holds the name; or use a shorter hostname`;
  return issue(verdictCodes.HostnameTooLongForTxt, message, '', fix);
}

/** What keeps the authority from issuing, and the CAA record that would let it. */
export function caaIssues({ wanted }: Case, verdict: CaaVerdict): readonly DnsIssue[] {
  const [domain] = wanted.ca?.domains ?? [];
  if (verdict.verdict === 'yes' || domain === undefined) return [];
  const at = verdict.at ?? wanted.hostname;
  if (verdict.verdict === 'unknown') {
    const message = `the CAA records of ${at} could not be read, so no certificate may be ordered`;
    return [issue(verdict.code, message, '', `make the name servers of ${at} answer CAA queries`)];
  }
  const offending = verdict.records.slice(0, shownRecords).map(line).join('; ');
  const forbidden = verdict.code === verdictCodes.CaaCriticalUnknown || verdict.code === verdictCodes.CaaMalformed;
  const first = forbidden ? `delete the record that cannot be understood, and ` : '';
  return [
    issue(verdict.code, caaMessage(verdict.code, at, domain), offending, `${first}add ${at}. CAA 0 issue "${domain}"`),
  ];
}

function caaMessage(code: string, at: string, domain: string): string {
  if (code === verdictCodes.CaaForbidsAccount) return `CAA at ${at} permits ${domain} only for another ACME account`;
  if (code === verdictCodes.CaaForbidsMethod) return `CAA at ${at} permits ${domain} only by another validation method`;
  if (code === verdictCodes.CaaMalformed) return `CAA at ${at} cannot be read and so permits nobody`;
  if (code === verdictCodes.CaaCriticalUnknown) return `CAA at ${at} has a critical property that is not known`;
  return `CAA at ${at} does not permit ${domain} to issue a certificate`;
}
