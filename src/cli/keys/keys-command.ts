import { createKey } from './create-key-command.ts';
import { deleteKey } from './delete-key-command.ts';
import { listKeys } from './list-keys-command.ts';
import { clusterUsage } from '../cluster-options.ts';
import { UsageError } from '../usage-errors.ts';

export const keysUsage = `usage: projectdomain keys create --account NAME [options]
       projectdomain keys list [--account NAME] [options]
       projectdomain keys delete NAME-OR-ID [options]

create makes an API key for an account and prints it, this once: only its hash goes to the cluster. list shows whose
keys there are, what they may do and when they were used last. delete takes one back: it opens nothing from then on.

  --account NAME      the Account a key belongs to
  --scopes A,B        create: out of domains:read, domains:write, keys:write; all of them when absent
  --expires TIME      create: RFC 3339; without it the key does not expire
${clusterUsage}
                      (create prints {"id", "key"}, list {"items"})
Keys belong to accounts and not to namespaces, so --namespace changes nothing here.

exit status: 0 done, 1 not there or refused, 3 wrong usage`;

const verbs: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  create: createKey,
  list: listKeys,
  delete: deleteKey,
};

/** Makes, shows and deletes API keys. */
export async function keys([verb, ...args]: readonly string[]): Promise<number> {
  const known = Object.keys(verbs).join(', ');
  const act = verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (act) return act(args);
  throw new UsageError(verb ? `keys cannot do this; there are ${known}` : `say what to do with keys: ${known}`);
}
