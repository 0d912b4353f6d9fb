import type { CheckRequest } from '../dns-facts.ts';
import type { Delegation } from '../../rules/challenge-delegation.ts';
import { challengeName } from '../../rules/desired-records.ts';
import type { IpRange } from '../../rules/ip-range.ts';
import { parseIpRange } from '../../rules/ip-range.ts';
import type { ClaimRelation } from '../../rules/hostname-claims.ts';
import { isWildcard } from '../../rules/wildcard.ts';
import { caaProfileOf } from './caa-profile.ts';
import type { CaIdentity, DesiredDns } from './dns-verdict.ts';

/** What an installation's configuration says about correct DNS: the same for operator, API server and doctor. */
export interface DnsSettings {
  /** projects get a hostname below it */
  readonly platformDomain: string;
  /** CNAME targets lie below it */
  readonly cnameDomain: string;
  /** addresses of the ingress */
  readonly platformAddresses: readonly string[];
  /** require the ownership record even where the exact target is found */
  readonly requireTxt: boolean;
  readonly ca: IssuerIdentity;
  /** the zone in which challenges of prepared hostnames are answered; null where hostnames cannot be prepared */
  readonly challengeZone: string | null;
  /** ranges of CDNs that the installation names */
  readonly cdnRanges: readonly IpRange[];
}

/** The issuing authority without the account, which only the issuer's status shows. */
export type IssuerIdentity = Omit<CaIdentity, 'accountUri'>;

/** What is known about one hostname besides the installation's settings. */
export interface DomainProof {
  readonly hostname: string;
  /** the project's CNAME target */
  readonly target: string;
  /** value of the ownership record; null when the caller does not know it */
  readonly ownership: string | null;
  readonly relation: ClaimRelation['kind'];
  /** addresses that the target resolved to lately */
  readonly targetAddresses: readonly string[];
  /** every address that leads to the platform, where it is not those of the settings */
  readonly platformAddresses?: readonly string[];
  /** see DesiredDns */
  readonly toldAddresses?: readonly string[];
  /** the issuer's ACME account; null while unknown */
  readonly accountUri: string | null;
  /** the alias of the challenge name (DesiredDns); absent where the hostname is not prepared */
  readonly delegation?: Delegation | null;
}

/** The authority with these CAA issuer domains. Certificates are validated over HTTP (RFC 8555 section 8.3). */
export const issuerIdentity = (domains: readonly string[]): IssuerIdentity => ({
  domains,
  method: 'http-01',
  caaProfile: caaProfileOf(domains),
});

/** What is said of one account of the issuer; what is absent is as the installation has it. */
interface AccountOfAuthority extends Partial<Pick<CaIdentity, 'caaProfile'>> {
  /** its URL; null while unknown */
  readonly uri: string | null;
  readonly caaDomains?: readonly string[];
}

/** Who CAA records have to permit for an account. */
export function identityOfAccount(ca: IssuerIdentity, { uri, caaDomains, caaProfile }: AccountOfAuthority): CaIdentity {
  const authority = caaDomains === undefined ? ca : issuerIdentity(caaDomains);
  return { ...authority, accountUri: uri, ...(caaProfile === undefined ? {} : { caaProfile }) };
}

/** The fields of a configuration file that say what correct DNS is. */
interface DnsConfig extends Omit<DnsSettings, 'ca' | 'cdnRanges' | 'challengeZone'> {
  readonly challengeZone: { readonly zone: string } | null;
  readonly caDomains: readonly string[];
  readonly cdnRanges: readonly string[];
}

/** What a configuration file says about correct DNS. */
export const dnsSettings = ({ caDomains, cdnRanges, ...config }: DnsConfig): DnsSettings => ({
  platformDomain: config.platformDomain,
  cnameDomain: config.cnameDomain,
  platformAddresses: config.platformAddresses,
  requireTxt: config.requireTxt,
  challengeZone: config.challengeZone?.zone ?? null,
  ca: issuerIdentity(caDomains),
  cdnRanges: cdnRanges.map(parseIpRange),
});

/** The DNS that a hostname should have. Every verdict, whoever asks for it, compares with this. */
export function desiredDns(settings: DnsSettings, proof: DomainProof): DesiredDns {
  const { hostname, ownership, relation, toldAddresses, platformAddresses = settings.platformAddresses } = proof;
  const name = challengeName(hostname);
  return {
    hostname,
    target: proof.target,
    cnameDomain: settings.cnameDomain,
    platformDomains: [settings.platformDomain, settings.cnameDomain],
    platformAddresses: [...platformAddresses, ...proof.targetAddresses],
    ...(toldAddresses ? { toldAddresses } : {}),
    txt: name === null || ownership === null ? null : { name, value: ownership },
    txtRequired: settings.requireTxt || relation === 'Foreign' || relation === 'Releasing',
    delegation: proof.delegation ?? null,
    ca: { ...settings.ca, accountUri: proof.accountUri, ...(isWildcard(hostname) ? { isForWildcard: true } : {}) },
    cdnRanges: settings.cdnRanges,
  };
}

/** The check that finds everything a verdict on this needs. */
export const checkOf = ({ delegation, toldAddresses, ...wanted }: DesiredDns) =>
  ({
    hostname: wanted.hostname,
    target: wanted.target,
    txtName: wanted.txt?.name ?? null,
    txtRequired: wanted.txtRequired,
    ...(delegation ? { delegationName: delegation.name } : {}),
    ...(toldAddresses ? { needsTargetAddresses: true } : {}),
    caa: wanted.ca !== null,
    dnssec: { platformAddresses: wanted.platformAddresses },
  }) satisfies CheckRequest;
