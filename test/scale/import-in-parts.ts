import { readFileSync } from 'node:fs';
import { importPart } from './import-part.ts';
import type { ImportedPart } from './imported-parts.ts';
import { importFindings } from './imported-parts.ts';
import { runStage } from './run-stage.ts';
import { dropLater, keepLater, laterFacts, laterSeed, visited } from './seed-cache.ts';
import type { Finding } from './stages.ts';

/** So many domains are Live within a few minutes. */
const eachPart = 1_000;
/** More than an import may add: the plain client's domains come after those. */
export const importedAtMost = 10_000;

const nameAfter = (imported: number): string => `imported-${imported}`;

/** How many domains are imported after each part. */
function endsOfParts(imported: number): readonly number[] {
  return Array.from({ length: Math.ceil(imported / eachPart) }, (_, at) => Math.min(imported, (at + 1) * eachPart));
}

/** Adds domains to a cluster, each part to what the one before left; goes on after the last part that was finished. */
export async function importInParts(
  domains: number,
  imported: number,
  tell: (line: string) => void,
): Promise<readonly Finding[]> {
  const ends = endsOfParts(imported);
  const kept = ends.slice(0, -1).findLast((end) => laterSeed(domains, nameAfter(end)) !== null) ?? 0;
  const parts = kept === 0 ? [] : readParts(domains, kept);
  let begin = kept;
  for (const end of ends.filter((one) => one > kept)) {
    const [before, first] = [begin, domains + begin];
    parts.push(
      await runStage({
        name: `import of ${end} of ${imported}`,
        domains,
        from: laterSeed(domains, before === 0 ? visited : nameAfter(before)),
        tell,
        // It would fall on one of those that are compared, and takes much of a processor for a while.
        comparesCaches: false,
        act: (options) => importPart(options, { first, count: end - before, free: domains + importedAtMost }),
        keep(etcdDir, found) {
          if (end < imported) keepLater(domains, nameAfter(end), { etcdDir, facts: [...parts, found] });
        },
      }),
    );
    if (before > 0) dropLater(domains, nameAfter(before));
    begin = end;
  }
  return importFindings(parts);
}

const readParts = (domains: number, imported: number): ImportedPart[] =>
  JSON.parse(readFileSync(laterFacts(domains, nameAfter(imported)), 'utf8')) as ImportedPart[];
