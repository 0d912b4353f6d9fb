import { parseArgs } from 'node:util';
import type { ParseArgsOptionsConfig } from 'node:util';
import { UsageError } from './usage-errors.ts';

/** What every command that speaks to a cluster understands, spelt as kubectl spells it. */
const clusterOptions = {
  namespace: { type: 'string', short: 'n' },
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** The lines of a usage about them. */
export const clusterUsage = `  -n, --namespace NS  the namespace; the context's when absent
  --kubeconfig FILE   the cluster; $KUBECONFIG or ~/.kube/config when absent
  --context NAME      the kubeconfig's context; its current one when absent
  --json              one JSON object on stdout`;

/** Reads a command line with the cluster's options and more. Throws UsageError. */
export function optionsOf<T extends ParseArgsOptionsConfig>(args: readonly string[], more: T) {
  try {
    const options = { ...clusterOptions, ...more };
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(firstSentence(error instanceof Error ? error.message : String(error)));
  }
}

/** The rest of what Node says here is about arguments that begin with a hyphen, which none of ours does. */
const firstSentence = (message: string): string => message.split(/\.\s/)[0] ?? message;

/** The one name a command is about. What was given is not repeated: it may be a key. */
export function onlyName([name, ...rest]: readonly string[], what: string): string {
  if (name === undefined || name === '' || rest.length > 0) throw new UsageError(`give exactly one ${what}`);
  return name;
}

/** Throws UsageError when there is more on the command line than options. */
export function noNames(positionals: readonly string[]): void {
  if (positionals.length > 0) throw new UsageError('give options only');
}
