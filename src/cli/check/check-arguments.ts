import type { Endpoint } from '../../dns/wire/dns-endpoint.ts';
import { parseEndpoint, rootServers } from '../../dns/wire/dns-endpoint.ts';
import type { DnsSettings, DomainProof } from '../../dns/verdict/desired-dns.ts';
import { desiredDns, issuerIdentity } from '../../dns/verdict/desired-dns.ts';
import type { DesiredDns } from '../../dns/verdict/dns-verdict.ts';
import { challengeName } from '../../rules/desired-records.ts';
import { hostnameMeant, parseHostname } from '../../rules/hostname.ts';
import { messageOf } from '../../lib/error-serializer.ts';
import { UsageError } from '../usage-errors.ts';
import type { CheckOptions } from './check-options.ts';
import type { CheckSetup } from './check-setup.ts';
import { configFrom, setupOf } from './check-setup.ts';

/** The setup for a hostname and its target, without a cluster. Throws UsageError or CommandFailure. */
export function setupOfHostname(name: string, target: string, values: CheckOptions): CheckSetup {
  const proof = proofOf(name, target, values);
  if (values.config !== undefined) return setupOf(configFrom(values.config), proof);
  const wanted = desiredDns(settingsOf(proof, values), proof);
  const roots = values.roots === undefined ? rootServers.map(parseEndpoint) : [endpoint('--roots', values.roots)];
  const resolvers = (values.resolver ?? []).map((text) => endpoint('--resolver', text));
  const permitted = roots.some(({ address }) => address.startsWith('127.')) ? ['127.0.0.0/8'] : [];
  const checker = { roots, resolvers, permitted };
  return { wanted: { ...wanted, ca: caOf(wanted, values) }, accounts: [], checker, notes: [] };
}

function proofOf(name: string, target: string, values: CheckOptions): DomainProof {
  const hostname = hostnameOf(name);
  const { txt = null, 'account-uri': accountUri = null } = values;
  if (txt !== null && challengeName(hostname) === null)
    throw new UsageError(`--txt: ${hostname} is so long that no ownership record fits below it`);
  return {
    hostname,
    target: hostnameOf(target),
    ownership: txt,
    relation: values['txt-required'] ? 'Foreign' : 'Free',
    targetAddresses: [],
    accountUri,
  };
}

const usualLabel = 'cname.';

/** Without a configuration, the platform's domain is what usually lies above the CNAME domain. */
function settingsOf(
  { target }: DomainProof,
  { ca, 'platform-address': platformAddresses = [] }: CheckOptions,
): DnsSettings {
  const cnameDomain = target.slice(target.indexOf('.') + 1);
  const platformDomain = cnameDomain.startsWith(usualLabel) ? cnameDomain.slice(usualLabel.length) : cnameDomain;
  return {
    platformDomain,
    cnameDomain,
    platformAddresses,
    requireTxt: false,
    ca: issuerIdentity(ca ?? []),
    challengeZone: null,
    cdnRanges: [],
  };
}

function caOf({ ca }: DesiredDns, values: CheckOptions): DesiredDns['ca'] {
  if (values.ca && ca) return { ...ca, method: values.method ?? ca.method };
  if (values['account-uri'] ?? values.method) throw new UsageError('--account-uri and --method need --ca');
  return null;
}

function hostnameOf(text: string): string {
  const parsed = parseHostname(hostnameMeant(text));
  if (!parsed.ok) throw new UsageError(`${text}: ${parsed.message}`);
  return parsed.hostname;
}

function endpoint(option: string, text: string): Endpoint {
  try {
    return parseEndpoint(text);
  } catch (error) {
    throw new UsageError(`${option}: ${messageOf(error)}`);
  }
}
