import type { AcmeAccount, AcmeClient } from '../../acme/acme-client.ts';
import type { AcmeClients, Authority } from '../../acme/acme-clients.ts';
import { AcmeProblem, AcmeUnavailable } from '../../acme/acme-errors.ts';
import type { AcmeIssuer } from '../../generated/acme-issuer.ts';
import { isPassing } from '../../issuing/acme/order-refusal.ts';
import type { Cluster } from '../../kubernetes/kubernetes-port.ts';
import type { AccountProblem, AccountSecrets, AccountSpec } from './account-secrets.ts';
import { readAccountSecrets } from './account-secrets.ts';
import type { RegisteredAccount } from './registered-accounts.ts';

/** An account as the status has it. */
export type KnownAccount = NonNullable<NonNullable<AcmeIssuer['status']>['accounts']>[number];

/** What was found of one account. */
export interface AccountObservation {
  readonly spec: AccountSpec;
  /** null where it cannot be used */
  readonly account: RegisteredAccount | null;
  /** set where it cannot be used, or its authority does not answer now */
  readonly problem: AccountProblem | null;
}

/** What was found of an issuer's accounts when they were last looked at: what else changes of its status asks no authority. */
export interface AccountLook {
  /** milliseconds since the Unix epoch */
  readonly at: number;
  /** of the issuer's spec */
  readonly generation: number;
  /** in the order of spec.accounts */
  readonly observations: readonly AccountObservation[];
}

export interface AccountPorts {
  readonly cluster: Pick<Cluster, 'get' | 'create'>;
  /** the operator's own, with the Secrets of the accounts */
  readonly namespace: string;
  readonly clients: AcmeClients;
}

export const authorityOf = ({ server, caBundle }: AccountSpec): Authority => ({
  server,
  ca: caBundle === undefined ? null : Buffer.from(caBundle, 'base64').toString('utf8'),
});

/**
 * Registers an account at its authority, which answers with the one that its key has already. One that is known stays usable while
 * its authority does not answer, and another key than its own never gets it replaced. Rejects only where Kubernetes does not answer.
 */
export async function observeAccount(
  ports: AccountPorts,
  spec: AccountSpec,
  known: KnownAccount | undefined,
): Promise<AccountObservation> {
  const before = known?.server === spec.server ? known : undefined;
  const secrets = await readAccountSecrets(ports, spec, before?.uri ?? null);
  if ('reason' in secrets) return { spec, account: null, problem: secrets };
  const client = await ports.clients.of(authorityOf(spec));
  const usable = (acme: RegisteredAccount['acme']): RegisteredAccount => ({
    name: spec.name,
    server: spec.server,
    thumbprint: secrets.key.thumbprint,
    profile: spec.profile ?? null,
    preferredChain: spec.preferredChain ?? null,
    acme,
    authority: client,
  });
  try {
    const acme = await registered(client, { spec, secrets, before });
    return 'reason' in acme ? { spec, account: null, problem: acme } : { spec, account: usable(acme), problem: null };
  } catch (error) {
    const problem = problemOf(spec, error);
    const uri = isPassingFault(error) ? registeredUri(before, secrets) : null;
    return { spec, account: uri === null ? null : usable(client.account(secrets.key, uri)), problem };
  }
}

interface Registration {
  readonly spec: AccountSpec;
  readonly secrets: AccountSecrets;
  /** as it was registered at this authority before */
  readonly before: KnownAccount | undefined;
}

/** The account of the key. One that is known is looked for, where the key is another than its own. */
async function registered(
  client: AcmeClient,
  { spec, secrets: { key, externalAccount }, before }: Registration,
): Promise<AcmeAccount | AccountProblem> {
  if (before?.uri === undefined || before.thumbprint === key.thumbprint)
    return client.register(key, { email: spec.email ?? null, externalAccount });
  const found = await client.find(key, externalAccount);
  return found?.url === before.uri ? found : otherKey(spec, before.uri);
}

const isPassingFault = (error: unknown): boolean =>
  error instanceof AcmeUnavailable || (error instanceof AcmeProblem && isPassing(error));

/** The URL of the account that this very key has; null where it has never been registered. */
const registeredUri = (before: KnownAccount | undefined, { key }: AccountSecrets): string | null =>
  before?.thumbprint === key.thumbprint ? (before.uri ?? null) : null;

const otherKey = ({ keySecret }: AccountSpec, uri: string): AccountProblem => ({
  reason: 'KeyMissing',
  message: `Secret ${keySecret} has another key than that of account ${uri}; restore it from the backup, or give the account another name for a new one`,
});

function problemOf({ server }: AccountSpec, error: unknown): AccountProblem {
  if (error instanceof AcmeProblem)
    return { reason: 'AuthorityRefused', message: `${server} refuses the account: ${error.detail} (${error.type})` };
  if (error instanceof AcmeUnavailable)
    return { reason: 'AuthorityUnreachable', message: `${server} does not answer as an ACME server: ${error.message}` };
  throw error;
}
