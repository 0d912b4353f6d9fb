import { randomInt } from 'node:crypto';
import type { Scope } from '../../rules/api-key-format.ts';
import { keyNameForm, scopes } from '../../rules/api-key-format.ts';
import { timestamp } from '../../rules/conditions.ts';
import { AccountKind, ApiKeyKind } from '../../resources/kinds.ts';
import type { ApiKeyRequest, DrawnApiKey } from '../../use-cases/api-keys.ts';
import { drawApiKey } from '../../use-cases/api-keys.ts';
import { CommandFailure, UsageError, didYouMean } from '../usage-errors.ts';
import { noNames, optionsOf } from '../cluster-options.ts';
import type { ClusterSession } from '../with-cluster.ts';
import { withCluster } from '../with-cluster.ts';
import { writeResult } from '../terminal-output.ts';

const text = { type: 'string' } as const;

/** Creates a key and prints it. */
export async function createKey(args: readonly string[]): Promise<number> {
  const { values, positionals } = optionsOf(args, {
    account: text,
    scopes: text,
    expires: text,
    'display-name': text,
  });
  noNames(positionals);
  if (!values.account) throw new UsageError('--account is missing');
  const request = {
    account: values.account,
    scopes: scopesOf(values.scopes),
    name: displayNameOf(values['display-name']),
    expiresAt: timeOf(values.expires),
  };
  const { key, keyId } = await withCluster(values, (session) => create(session, request));
  writeResult({ id: keyId, key }, values.json, (drawn) => drawn.key);
  return 0;
}

async function create({ cluster }: ClusterSession, request: ApiKeyRequest): Promise<DrawnApiKey> {
  const { account } = request;
  if (!(await cluster.get(AccountKind, { namespace: '', name: account }))) {
    const names = (await cluster.list(AccountKind)).map(({ metadata }) => metadata.name);
    throw new CommandFailure(`there is no Account ${account}; create it first.${didYouMean(account, names)}`);
  }
  const drawn = drawApiKey(randomInt, request);
  await cluster.create(ApiKeyKind, drawn.object);
  return drawn;
}

function scopesOf(given: string | undefined): readonly Scope[] {
  return given === undefined ? scopes : given.split(',').map(scopeOf);
}

function scopeOf(name: string): Scope {
  const scope = scopes.find((known) => known === name.trim());
  if (scope) return scope;
  throw new UsageError(`there is no scope '${name}'; there are ${scopes.join(', ')}`);
}

const longestName = 64;

function displayNameOf(given: string | undefined): string | undefined {
  const name = given?.trim();
  if (name === undefined || (name !== '' && name.length <= longestName && keyNameForm.test(name))) return name;
  throw new UsageError(`--display-name: write 1 to ${longestName} visible characters`);
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

function timeOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const at = rfc3339.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(at))
    throw new UsageError(`--expires: ${given} is not a time; write for example 2027-01-31T12:00:00Z`);
  if (at <= Date.now()) throw new UsageError(`--expires: ${given} is in the past`);
  return timestamp(at);
}
