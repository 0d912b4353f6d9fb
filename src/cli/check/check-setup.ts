import type { DnsCheckerOptions } from '../../dns/lookup/dns-checker.ts';
import { checkerOptions } from '../../dns/lookup/dns-checker.ts';
import type { DomainProof } from '../../dns/verdict/desired-dns.ts';
import { desiredDns, dnsSettings, identityOfAccount } from '../../dns/verdict/desired-dns.ts';
import type { DesiredDns } from '../../dns/verdict/dns-verdict.ts';
import type { AccountIdentity } from '../../dns/verdict/evaluate-dns.ts';
import type { AccountOfIssuer } from '../../issuing/issuer-ref.ts';
import { ConfigError } from '../../lib/config-file.ts';
import { messageOf } from '../../lib/error-serializer.ts';
import type { OperatorConfig } from '../../operator/config.ts';
import { parseOperatorConfig, readOperatorConfig } from '../../operator/config.ts';
import { CommandFailure } from '../usage-errors.ts';

/** Everything that one check depends on, wherever it came from. */
export interface CheckSetup {
  readonly wanted: DesiredDns;
  /** that certificates may be ordered with; none where `wanted` has the only one */
  readonly accounts: readonly AccountIdentity[];
  readonly checker: DnsCheckerOptions;
  /** sentences about what the doctor does not know and the operator does */
  readonly notes: readonly string[];
}

/** The operator's configuration from a file. Throws CommandFailure. */
export const configFrom = (path: string): OperatorConfig => orFailure(() => readOperatorConfig(path));

/** The operator's configuration from the text of one. Throws CommandFailure. */
export const configIn = (text: string, source: string): OperatorConfig =>
  orFailure(() => parseOperatorConfig(text, source));

function orFailure<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandFailure(error.message);
    throw error;
  }
}

/** What the operator with this configuration would check and expect. Throws CommandFailure. */
export function setupOf(
  config: OperatorConfig,
  proof: Omit<DomainProof, 'targetAddresses'>,
  accountsOfIssuer: readonly AccountOfIssuer[] = [],
): CheckSetup {
  const settings = dnsSettings(config);
  const ofClasses = config.routing.classes.flatMap(({ addresses }) => addresses);
  const platformAddresses = [...settings.platformAddresses, ...ofClasses];
  const wanted = desiredDns(settings, { ...proof, platformAddresses, targetAddresses: [] });
  const accounts = accountsOfIssuer.map((account) => ({
    name: account.name,
    ca: identityOfAccount(settings.ca, account),
  }));
  return { wanted, accounts, checker: checkerOf(config), notes: notesOn(wanted, config) };
}

function checkerOf(config: OperatorConfig): DnsCheckerOptions {
  try {
    return checkerOptions(config);
  } catch (error) {
    throw new CommandFailure(`the configuration's roots or resolvers: ${messageOf(error)}`);
  }
}

function notesOn({ hostname, txt, txtRequired, ca }: DesiredDns, config: OperatorConfig): readonly string[] {
  const txtUnknown = `the ownership record of ${hostname} is required, and its value is unknown; give it with --txt`;
  const accountUnknown = `the ACME account of ${config.issuer.kind} ${config.issuer.name} is unknown, so a CAA record that names an account counts as another's`;
  return [
    ...(txtRequired && txt === null ? [txtUnknown] : []),
    ...(ca !== null && ca.accountUri === null ? [accountUnknown] : []),
  ];
}
