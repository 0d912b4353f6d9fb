import type { Dns } from '../dns/dns-facts.ts';
import type { DnsSettings } from '../dns/verdict/desired-dns.ts';
import { checkOf, desiredDns, identityOfAccount } from '../dns/verdict/desired-dns.ts';
import type { DnsVerdict } from '../dns/verdict/dns-verdict.ts';
import { evaluateForAccounts } from '../dns/verdict/evaluate-dns.ts';
import { dnsHostView } from '../rules/dns-hosts/dns-hosts.ts';
import type { AccountOfIssuer, Issuer, IssuerRef } from '../issuing/issuer-ref.ts';
import { accountsOfIssuer, issuerKindOf } from '../issuing/issuer-ref.ts';
import type { Cluster } from '../kubernetes/kubernetes-port.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { verdictCodes } from '../rules/verdict-codes.ts';
import type { DnsFindings, DnsLookup, DnsLookupRequest } from '../use-cases/dns-lookup-port.ts';
import { issueView } from '../use-cases/issue-view.ts';

export interface DnsLookupOptions {
  readonly dns: Dns;
  readonly settings: DnsSettings;
  /** the issuer's ACME accounts, those not registered or not read without a URL. Settles within a second or so */
  readonly accounts: () => Promise<readonly AccountOfIssuer[]>;
}

/** The use cases' port for lookups, by the operator's own check and verdict. */
export const createDnsLookup = ({ dns, settings, accounts: readAccounts }: DnsLookupOptions): DnsLookup => ({
  async look(request, signal) {
    // Without a project nothing that is said below is about the target; the name above all of them stands in for it.
    const target = request.target ?? settings.cnameDomain;
    const wanted = desiredDns(settings, { ...request, target, targetAddresses: [], accountUri: null });
    const [accounts, facts] = await Promise.all([readAccounts(), dns.check(checkOf(wanted), signal)]);
    // No token is asked for here; but where one came through before, what stands in front is no stray server.
    const token = { answers: {}, routedBy: request.routedBy };
    const identities = accounts.map((account) => ({ name: account.name, ca: identityOfAccount(settings.ca, account) }));
    const verdict = evaluateForAccounts(facts, { ...wanted, token }, identities);
    const isUnknown = accounts.every(({ uri }) => uri === null);
    return findingsOf(isUnknown ? withoutAccount(verdict) : verdict, request);
  },
});

/** While the issuer's account is unknown, so is whether a record that names an account means it. */
function withoutAccount(verdict: DnsVerdict): DnsVerdict {
  const { code } = verdict.caa;
  if (code !== 'CaaForbidsAccount') return verdict;
  const issues = verdict.issues.filter((issue) => issue.code !== code);
  return { ...verdict, caa: { verdict: 'unknown', code }, issues };
}

function findingsOf(verdict: DnsVerdict, { target }: DnsLookupRequest): DnsFindings {
  const { zone, nameServers, routing, ownership, caa, issues, discovered, records } = verdict;
  const isForProject = target !== null;
  return {
    zone,
    nameServers,
    dnsHost: dnsHostView(nameServers),
    found: discovered.map(({ name, type, ttl, value }) => ({ name, type, ttl, value })),
    recordFindings: records,
    routing: isForProject ? { verdict: routing.verdict, code: routing.code } : null,
    ownership: isForProject ? ownership : null,
    caa,
    issues: issues
      .filter(({ code }) => isForProject || !verdictCodes[code].aboutTarget)
      .map((issue) => issueView(issue)),
    routedBy: isForProject ? routing.by : null,
  };
}

interface IssuerAccountsOptions {
  readonly cluster: Pick<Cluster, 'get'>;
  readonly issuer: IssuerRef;
  readonly clock: Clock;
  readonly log: Log;
}

const rereadAfterMs = 60_000;
const patienceMs = 1_000;

/**
 * The ACME accounts of the issuer in order of preference, as it shows them: read when they are needed, once a minute at most. One that is not
 * known until they could be read; the last ones known while they cannot. Never rejects, and settles within a second.
 */
export function createIssuerAccounts({
  cluster,
  issuer,
  clock,
  log,
}: IssuerAccountsOptions): () => Promise<readonly AccountOfIssuer[]> {
  let known = accountsOfIssuer(undefined);
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  const read = async () => {
    try {
      known = accountsOfIssuer(await cluster.get<Issuer>(issuerKindOf(issuer), { namespace: '', name: issuer.name }));
    } catch (error) {
      log.warn(
        { err: error, issuer },
        'the issuer cannot be read: lookups cannot tell whether CAA records name its accounts',
      );
    }
    readAt = clock.elapsed();
    reading = null;
  };
  return async () => {
    if (clock.elapsed() - readAt < rereadAfterMs) return known;
    reading ??= read();
    const patience = new AbortController();
    await Promise.race([reading, clock.sleep(patienceMs, patience.signal).catch(() => undefined)]);
    patience.abort();
    return known;
  };
}
