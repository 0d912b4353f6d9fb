import type { DomainSummary } from './domain-summary.ts';
import { domainSummary, printCaches, printIssues, printRecords, printSummary } from './domain-summary.ts';
import { findDomain } from './find-domain.ts';
import { clusterUsage, onlyName, optionsOf } from './cluster-options.ts';
import { withCluster } from './with-cluster.ts';
import { writeResult } from './terminal-output.ts';

export const usage = `usage: projectdomain records NAME [options]

Shows what the customer must create in DNS, and what is found there instead. NAME is a hostname or an object's name.

${clusterUsage}

exit status: 0 shown, 1 not found or no records yet, 3 wrong usage`;

/** Prints the records of one domain. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = optionsOf(args, {});
  const name = onlyName(positionals, 'hostname or name');
  const view = await withCluster(values, async (session) => domainSummary(await findDomain(session, name), Date.now()));
  writeResult(view, values.json, print);
  return view.records.length > 0 ? 0 : 1;
}

function print(view: DomainSummary): string {
  const wanted = view.records.length > 0 ? printRecords(view) : 'There are no records to create yet.';
  return [printSummary(view), wanted, printIssues(view), printCaches(view)].filter(Boolean).join('\n\n');
}
