import { parseArgs } from 'node:util';
import type { ParseArgsOptionsConfig } from 'node:util';
import { UsageError } from './usage-errors.ts';
import { messageOf } from '../lib/error-serializer.ts';

/** Options of every command that talks to a cluster, spelled as in kubectl. */
const clusterOptions = {
  namespace: { type: 'string', short: 'n' },
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** Their lines in a usage text. */
export const clusterUsage = `  -n, --namespace NS  the namespace; default: the context's
  --kubeconfig FILE   the cluster; default: $KUBECONFIG or ~/.kube/config
  --context NAME      the kubeconfig's context; default: the current one
  --json              one JSON object on stdout`;

/** Parses a command line with the cluster options and those in `more`. Throws UsageError. */
export function optionsOf<T extends ParseArgsOptionsConfig>(args: readonly string[], more: T) {
  try {
    const options = { ...clusterOptions, ...more };
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(firstSentence(messageOf(error)));
  }
}

/** The rest of Node's message is about arguments that begin with a hyphen; none of ours do. */
const firstSentence = (message: string): string => message.split(/\.\s/)[0] ?? message;

/** The one name that a command takes. The error does not echo what was given: it may be a key. */
export function onlyName([name, ...rest]: readonly string[], what: string): string {
  if (name === undefined || name === '' || rest.length > 0) throw new UsageError(`give exactly one ${what}`);
  return name;
}

/** Throws UsageError when there are positional arguments. */
export function noNames(positionals: readonly string[]): void {
  if (positionals.length > 0) throw new UsageError('this command takes options only');
}
