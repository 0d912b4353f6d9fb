import { parseArgs } from 'node:util';
import type { BackupSelection, BackupSource } from './collect-backup.ts';
import { accountSecretsOf, collect } from './collect-backup.ts';
import { backupDocument } from './backup-document.ts';
import { CommandFailure, UsageError } from '../usage-errors.ts';
import type { ClusterChoice } from '../with-cluster.ts';
import { withCluster } from '../with-cluster.ts';
import { messageOf } from '../../lib/error-serializer.ts';
import { tell, writeJson } from '../terminal-output.ts';

export const usage = `usage: projectdomain backup [options] > FILE

Prints everything that a restore on an empty cluster needs as one List. Keep it like a password: it holds the key that
every customer's DNS record is derived from, and the keys of AcmeIssuers' accounts. Restore it with 'kubectl create -f FILE'
before the operator is started.

  --system-namespace NS  where the operator and its keys are; default: projectdomain-system
  --without-secrets      leave the keys out; keep Secret projectdomain-hmac and those of ACME accounts somewhere else
  --kubeconfig FILE      the cluster; default: $KUBECONFIG or ~/.kube/config
  --context NAME         the kubeconfig's context; default: the current one

It only reads: list on the kinds it contains, get on these Secrets by name.
exit status: 0 printed in full, 1 something could not be read and nothing is printed, 3 wrong usage`;

type BackupArguments = BackupSelection & ClusterChoice;

const text = { type: 'string' } as const;
const options = {
  'system-namespace': text,
  'without-secrets': { type: 'boolean' },
  kubeconfig: text,
  context: text,
} as const;

/** Reads the command line of `backup`. Throws UsageError. */
export function backupArguments(args: readonly string[]): BackupArguments {
  const { kubeconfig, context, ...values } = optionsOf(args);
  return {
    systemNamespace: values['system-namespace'] ?? 'projectdomain-system',
    secrets: !values['without-secrets'],
    kubeconfig,
    context,
  };
}

function optionsOf(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

/** Prints the backup, or nothing at all if any part of it cannot be read. */
export async function run(args: readonly string[]): Promise<number> {
  const given = backupArguments(args);
  try {
    const found = await withCluster(given, ({ cluster }) => collect(cluster, given));
    const list = backupDocument(found);
    writeJson(list);
    tell(summary(list.items.length, given));
    const missing = missingSecrets(found);
    if (missing.length > 0) tell(withoutAccountKeys(missing, given));
    return 0;
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    tell(`nothing was backed up: ${error.message}`);
    return 1;
  }
}

/** Secrets of ACME accounts that the backup does not hold. */
function missingSecrets({ acmeIssuers, accountSecrets }: BackupSource): readonly string[] {
  const held = new Set(accountSecrets.map(({ metadata }) => metadata.name));
  return accountSecretsOf(acmeIssuers).filter((name) => !held.has(name));
}

const withoutAccountKeys = (names: readonly string[], { secrets }: BackupSelection): string =>
  `not in it: ${names.join(', ')}, with keys of ACME accounts${secrets ? ', which are not there' : ''}; a restore without them registers new accounts, ` +
  'which CAA records of customers may forbid and which cannot revoke the certificates of the old ones';

const summary = (count: number, { secrets }: BackupSelection): string =>
  secrets
    ? `${count} objects; they hold the key of all targets and those of ACME accounts: keep the file like a password, with mode 0600`
    : `${count} objects, without Secret projectdomain-hmac: a restore without it makes every customer's DNS record worthless`;
