import { statusAction } from '../../controller-runtime/actions.ts';
import type { Account } from '../../generated/account.ts';
import type { ApiKey } from '../../generated/api-key.ts';
import type { NewKey } from '../../rules/api-key-format.ts';
import type { Finding } from '../../rules/conditions.ts';
import { isTrue, observedConditions, unknown, yes } from '../../rules/conditions.ts';
import type { ApiKeyReason } from '../../rules/reasons.ts';
import { canOwn, ownerReference } from '../../resources/object-metadata.ts';
import { ApiKeyKind, SecretKind } from '../../resources/kinds.ts';
import type { WriteAction, Actions, ReconcileResult } from '../../controller-runtime/actions.ts';
import { randomInt } from 'node:crypto';
import { drawKey } from '../../rules/api-key-format.ts';
import { namespaceOf } from '../account-lookup.ts';
import { applyActions } from '../apply-actions.ts';
import { withRefusals } from '../refused-write.ts';
import type { RefusedWrite } from '../refused-write.ts';
import type { CommonNeeds } from '../needs.ts';
import { parseKey } from '../../kubernetes/object-keys.ts';
import type { Controller } from '../controller.ts';

export const apiKeyController: Controller = {
  workers: ({ apiKey }) => apiKey,
  shareOf: (key, { apiKeys }) => apiKeys.get(parseKey(key))?.spec.account ?? '',
  hasSecretKeys: true,
  reconcile: reconcileApiKey,
};

/** Everything decideApiKey needs, frozen. */
export interface ApiKeySnapshot {
  /** milliseconds since the Unix epoch */
  readonly now: number;
  readonly apiKey: ApiKey;
  readonly account: Account | undefined;
  /** the account's namespace; null while there is none */
  readonly namespace: string | null;
  /** used only for an ApiKey without a hash */
  readonly newKey: NewKey;
  /** what the cluster refused of this reconcile's writes; absent before they are sent */
  readonly refused?: readonly RefusedWrite[];
}

/** Name of the Secret in which the owner finds a generated key, under `apiKey`. */
const secretName = (name: string): string => `apikey-${name}`;

/**
 * Generates the key of an ApiKey without a hash: first the key goes into a Secret in the account's namespace, then its
 * hash into the ApiKey. A Secret left over from a reconcile that ended between the two holds a key that nobody can use,
 * so it is created anew. Pure.
 */
export function decideApiKey(snapshot: ApiKeySnapshot): Actions {
  const { apiKey } = snapshot;
  const finding = readyFinding(snapshot);
  const generate = isTrue(finding) && apiKey.spec.keyId === undefined;
  return {
    writes: [
      ...(generate ? writesOfNewKey(snapshot) : writesOfOwner(snapshot)),
      status(snapshot, said(snapshot, finding)),
    ],
    events: [],
    requeueAt: null,
  };
}

/** A key that was not generated cannot be used. */
function said({ apiKey, refused = [] }: ApiKeySnapshot, finding: Finding<ApiKeyReason>): Finding<ApiKeyReason> {
  const isMissing = apiKey.spec.keyId === undefined && refused.length > 0;
  const found = isMissing ? unknown<ApiKeyReason>('WriteRefused', finding.message) : finding;
  const before = apiKey.status?.conditions;
  return withRefusals({ Ready: found }, refused, { conditionOf: () => 'Ready', before }).Ready;
}

function readyFinding({ apiKey, account, namespace }: ApiKeySnapshot): Finding<ApiKeyReason> {
  const { account: name, keyId } = apiKey.spec;
  if (!account) return unknown('AccountNotFound', `account ${name} does not exist; create it, or delete this key`);
  if (keyId !== undefined) return yes('Ready', 'the key can be used');
  if (namespace === null) {
    return unknown('NamespaceMissing', `account ${name} has no namespace yet, where the Secret with the key would go`);
  }
  return yes('Ready', `the key is in Secret ${namespace}/${secretName(apiKey.metadata.name)}`);
}

function writesOfNewKey({ apiKey, account, namespace, newKey }: ApiKeySnapshot): readonly WriteAction[] {
  if (namespace === null || !account) return [];
  const { keyId, sha256, key } = newKey;
  const metadata = { namespace, name: secretName(apiKey.metadata.name) };
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...metadata, ownerReferences: [ownerReference(apiKey, true)] },
    stringData: { apiKey: key },
  };
  return [
    { verb: 'remove', kind: SecretKind, key: metadata },
    { verb: 'create', kind: SecretKind, object: secret },
    {
      verb: 'replace',
      kind: ApiKeyKind,
      object: withOwner({ ...apiKey, spec: { ...apiKey.spec, keyId, sha256 } }, account),
    },
  ];
}

/** Makes the account an owner of the key, so that the key is garbage-collected with it. */
function writesOfOwner({ apiKey, account }: ApiKeySnapshot): readonly WriteAction[] {
  if (!account || !canOwn(account) || isOwned(apiKey, account)) return [];
  return [{ verb: 'replace', kind: ApiKeyKind, object: withOwner(apiKey, account) }];
}

const isOwned = ({ metadata }: ApiKey, account: Account): boolean =>
  metadata.ownerReferences?.some(({ uid }) => uid === account.metadata.uid) ?? false;

function withOwner(apiKey: ApiKey, account: Account): ApiKey {
  if (isOwned(apiKey, account)) return apiKey;
  const ownerReferences = [...(apiKey.metadata.ownerReferences ?? []), ownerReference(account, false)];
  return { ...apiKey, metadata: { ...apiKey.metadata, ownerReferences } };
}

function status({ apiKey, now }: ApiKeySnapshot, finding: Finding<ApiKeyReason>): WriteAction {
  const { generation = 0 } = apiKey.metadata;
  const ready = observedConditions({ Ready: finding }, apiKey.status?.conditions, { generation, now });
  return statusAction(ApiKeyKind, apiKey, ready);
}

/** Reconciles one ApiKey. */
async function reconcileApiKey(dependencies: CommonNeeds, key: string): Promise<ReconcileResult> {
  const apiKey = dependencies.caches.apiKeys.get(parseKey(key));
  if (!apiKey || apiKey.metadata.deletionTimestamp) return {};
  const { account: name } = apiKey.spec;
  const snapshot = Object.freeze({
    now: dependencies.now(),
    apiKey,
    account: dependencies.caches.accounts.get({ namespace: '', name }),
    namespace: namespaceOf(dependencies.caches, name),
    newKey: drawKey(randomInt),
  });
  return applyActions(dependencies, decideApiKey(snapshot), {
    about: apiKey,
    again: (refused) => decideApiKey({ ...snapshot, refused }),
  });
}
