import type { AccountKey } from '../../acme/account-key.ts';
import { createAccountKey, readAccountKey } from '../../acme/account-key.ts';
import type { ExternalAccount } from '../../acme/signed-body.ts';
import type { AcmeIssuer } from '../../generated/acme-issuer.ts';
import { isConflict, isForbidden } from '../../kubernetes/kubernetes-errors.ts';
import type { Cluster } from '../../kubernetes/kubernetes-port.ts';
import { SecretKind } from '../../resources/kinds.ts';
import type { Refusal } from '../../rules/write-refusal.ts';
import { refusalOf } from '../../rules/write-refusal.ts';
import type { AcmeIssuerReason } from '../../rules/reasons.ts';

export type AccountSpec = AcmeIssuer['spec']['accounts'][number];

/** Why an account cannot be used, in a sentence that says what to do. */
export interface AccountProblem {
  readonly reason: AcmeIssuerReason;
  readonly message: string;
}

/** What an account signs with. */
export interface AccountSecrets {
  readonly key: AccountKey;
  /** null where the authority wants none */
  readonly externalAccount: ExternalAccount | null;
}

interface Reading {
  readonly cluster: Pick<Cluster, 'get' | 'create'>;
  /** the operator's own */
  readonly namespace: string;
}

/** As cert-manager keeps the key of an account: such a Secret can be copied. */
const keyField = 'tls.key';
const bindingField = 'secret';

/**
 * Reads the Secrets of an account. A key that is missing is made where the account has never been registered (`uri` null), and never
 * in place of one that was lost: CAA records of customers may name the account. Rejects only for faults that end with time.
 */
export async function readAccountSecrets(
  reading: Reading,
  { keySecret, externalAccountBinding: binding }: AccountSpec,
  uri: string | null,
): Promise<AccountSecrets | AccountProblem> {
  const pem = (await fieldOf(reading, keySecret, keyField)) ?? (uri === null ? await newKey(reading, keySecret) : null);
  if (pem === null) return lost(reading, keySecret, uri);
  if (typeof pem !== 'string') return pem;
  const key = keyIn(pem, keySecret);
  if ('reason' in key || !binding) return 'reason' in key ? key : { key, externalAccount: null };
  const hmacKey = await fieldOf(reading, binding.keySecret, bindingField);
  if (hmacKey === null) return withoutBinding(reading, binding.keySecret);
  return typeof hmacKey === 'string' ? { key, externalAccount: { keyId: binding.keyId, hmacKey } } : hmacKey;
}

/** The text of one field of a Secret; null without the Secret or the field. */
async function fieldOf(
  { cluster, namespace }: Reading,
  name: string,
  field: string,
): Promise<string | AccountProblem | null> {
  try {
    const secret = await cluster.get(SecretKind, { namespace, name });
    const value = secret?.data?.[field];
    if (secret && value === undefined) return unreadable(name, `it has no ${field}`);
    return value === undefined ? null : Buffer.from(value, 'base64').toString('utf8').trim();
  } catch (error) {
    if (!isForbidden(error)) throw error;
    const message = `the operator may not read Secret ${name}; add it to issuer.accountSecrets of the chart`;
    return { reason: 'RightsMissing', message };
  }
}

/** The key in a new Secret; what another process stored meanwhile wins. */
async function newKey(reading: Reading, name: string): Promise<string | AccountProblem | null> {
  const { apiVersion, kind } = SecretKind;
  const data = { [keyField]: Buffer.from(createAccountKey()).toString('base64') };
  const metadata = { namespace: reading.namespace, name };
  try {
    await reading.cluster.create(SecretKind, { apiVersion, kind, metadata, type: 'Opaque', data });
  } catch (error) {
    const refusal = isConflict(error) ? null : refusalOf(error);
    if (refusal) return refusedKey(reading, name, refusal);
    if (!isConflict(error)) throw error;
  }
  return fieldOf(reading, name, keyField);
}

const refusedKey = ({ namespace }: Reading, name: string, { said }: Refusal): AccountProblem => ({
  reason: 'WriteRefused',
  message: `Secret ${namespace}/${name} for the key of the account cannot be created; the kube-apiserver says: ${said}`,
});

function keyIn(pem: string, name: string): AccountKey | AccountProblem {
  try {
    return readAccountKey(pem);
  } catch (error) {
    return unreadable(name, (error as Error).message);
  }
}

const unreadable = (name: string, why: string): AccountProblem => ({
  reason: 'KeyUnreadable',
  message: `Secret ${name} cannot be used: ${why}`,
});

const lost = ({ namespace }: Reading, name: string, uri: string | null): AccountProblem => ({
  reason: 'KeyMissing',
  message: `Secret ${namespace}/${name} with the key of account ${uri} is missing; restore it from the backup, or give the account another name for a new one`,
});

const withoutBinding = ({ namespace }: Reading, name: string): AccountProblem => ({
  reason: 'KeyMissing',
  message: `Secret ${namespace}/${name} is missing; create it with the MAC key that the authority gave you under ${bindingField}`,
});
