import { randomInt } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createCluster } from '../kube/client.ts';
import { connect } from '../kube/connection.ts';
import { createTransport } from '../kube/transport.ts';
import { drawKey } from '../model/api-key.ts';
import { AccountKind, ApiKeyKind } from '../model/kinds.ts';
import { UsageError } from './usage.ts';

export const keysUsage = `usage: projectdomain keys create --account NAME [options]

Makes an API key for an account and prints it, this once. Only its hash goes to the cluster.

  --account NAME      the Account it belongs to
  --scopes A,B        out of domains:read, domains:write, keys:write; all of them when absent
  --expires TIME      RFC 3339; without it the key does not expire
  --kubeconfig FILE   the cluster; $KUBECONFIG or ~/.kube/config when absent
  --json              one JSON object {"id", "key"} instead of the bare key

exit status: 0 made, 1 refused by the cluster, 3 wrong usage`;

const scopes = ['domains:read', 'domains:write', 'keys:write'] as const;
type Scope = (typeof scopes)[number];

interface KeyArguments {
  readonly account: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
  readonly kubeconfig: string;
  readonly json: boolean;
}

/** Reads the command line of `keys create`. Throws UsageError. */
function keyArguments([verb, ...args]: readonly string[]): KeyArguments {
  if (verb !== 'create') throw new UsageError(verb ? `keys cannot '${verb}'` : 'say what to do with keys: create');
  const { account, expires, kubeconfig, json = false, scopes: wanted } = optionsOf(args);
  if (account === undefined) throw new UsageError('--account is missing');
  if (expires !== undefined && Number.isNaN(Date.parse(expires)))
    throw new UsageError(`--expires: ${expires} is no time`);
  return {
    account,
    scopes: wanted === undefined ? scopes : wanted.split(',').map(scopeOf),
    expiresAt: expires === undefined ? null : new Date(expires).toISOString(),
    kubeconfig: kubeconfig ?? process.env.KUBECONFIG ?? join(homedir(), '.kube/config'),
    json,
  };
}

const option = { type: 'string' } as const;

function optionsOf(args: readonly string[]) {
  try {
    const options = {
      account: option,
      scopes: option,
      expires: option,
      kubeconfig: option,
      json: { type: 'boolean' },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function scopeOf(name: string): Scope {
  const scope = scopes.find((known) => known === name.trim());
  if (scope) return scope;
  throw new UsageError(`there is no scope '${name}'; there are ${scopes.join(', ')}`);
}

/** Makes the key; what it prints is the key itself. */
export async function keys(args: readonly string[]): Promise<number> {
  const { account, scopes: wanted, expiresAt, kubeconfig, json } = keyArguments(args);
  const transport = createTransport(await connect(kubeconfig));
  const cluster = createCluster(transport, 'projectdomain-cli', () => undefined);
  try {
    if (!(await cluster.get(AccountKind, { namespace: '', name: account }))) {
      console.error(`there is no Account ${account}; create it first`);
      return 1;
    }
    const { key, keyId, sha256 } = drawKey(randomInt);
    const { apiVersion, kind } = ApiKeyKind;
    const spec = { account, scopes: wanted, keyId, sha256, ...(expiresAt === null ? {} : { expiresAt }) };
    await cluster.create(ApiKeyKind, { apiVersion, kind, metadata: { name: `key-${keyId}` }, spec });
    console.log(json ? JSON.stringify({ id: keyId, key }) : key);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    await transport.close();
  }
}
