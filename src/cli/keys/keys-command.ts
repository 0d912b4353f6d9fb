import { createKey } from './create-key-command.ts';
import { deleteKey } from './delete-key-command.ts';
import { listKeys } from './list-keys-command.ts';
import { clusterUsage } from '../cluster-options.ts';
import { UsageError } from '../usage-errors.ts';

export const keysUsage = `usage: projectdomain keys create --account NAME [options]
       projectdomain keys list [--account NAME] [options]
       projectdomain keys delete NAME-OR-ID [options]

create makes an API key for an account and prints it once: only its hash is stored. list shows the keys with their
accounts, their scopes and when they were last used. delete revokes a key immediately.

  --account NAME      the Account a key belongs to
  --scopes A,B        create: any of domains:read, domains:write, keys:write; default: all of them
  --display-name TEXT create: what the key is for, such as "deploy script"; default: none
  --expires TIME      create: RFC 3339; default: the key does not expire
${clusterUsage}
                      (create prints {"id", "key"}, list {"items"})
Keys belong to accounts, not to namespaces, so --namespace has no effect here.

exit status: 0 done, 1 not found or refused, 3 wrong usage`;

const verbs: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  create: createKey,
  list: listKeys,
  delete: deleteKey,
};

/** Creates, lists and deletes API keys. */
export async function keys([verb, ...args]: readonly string[]): Promise<number> {
  const known = Object.keys(verbs).join(', ');
  const act = verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (act) return act(args);
  throw new UsageError(
    verb ? `keys has no such command; there are ${known}` : `a command for keys is missing; there are ${known}`,
  );
}
