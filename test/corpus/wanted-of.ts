import type { DesiredDns } from '../../src/dns/verdict/dns-verdict.ts';
import type { CheckRequest } from '../../src/dns/dns-facts.ts';
import type { Delegation } from '../../src/rules/challenge-delegation.ts';
import { challengeName } from '../../src/rules/desired-records.ts';
import { dnsChallengeName } from '../../src/rules/challenge-delegation.ts';
import type { CorpusName } from './corpus-name.ts';
import { challengeZone, cnameDomain, delegationLabel, ownershipValue, platformAddresses, target } from './platform.ts';

/** What every name of the corpus should have in DNS. */
export function wantedOf({ txtRequired = false, prepared }: CorpusName, hostname: string): DesiredDns {
  const txtName = challengeName(hostname);
  return {
    hostname,
    target,
    cnameDomain,
    platformDomains: ['apps.platform.net'],
    platformAddresses,
    txt: txtName === null ? null : { name: txtName, value: ownershipValue },
    txtRequired,
    delegation: prepared ? delegationOf(hostname) : null,
    ca: { domains: ['ca.test'], accountUri: 'https://ca.test/acme/1', method: 'http-01', caaProfile: 'strict' },
  };
}

function delegationOf(hostname: string): Delegation | null {
  const name = dnsChallengeName(hostname);
  if (name === null) return null;
  return {
    name,
    value: `${delegationLabel}.${challengeZone}`,
    label: delegationLabel,
    zone: challengeZone,
    isAhead: true,
  };
}

/** The names that have to be asked for it. */
export function requestFor({ hostname, txt, txtRequired, delegation }: DesiredDns): CheckRequest {
  const delegationName = delegation ? { delegationName: delegation.name } : {};
  return { hostname, target, txtName: txt?.name ?? null, txtRequired, caa: true, ...delegationName };
}
