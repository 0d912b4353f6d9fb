import type { DebianProgram } from '../../../dev/platform/debian.ts';
import { findDebian } from '../../../dev/platform/debian.ts';

const programs = {
  knotd: { file: 'knotd', package: 'knot' },
  nsd: { file: 'nsd', package: 'nsd' },
  kzonesign: { file: 'kzonesign', package: 'knot-dnssecutils' },
  unbound: { file: 'unbound', package: 'unbound' },
} as const satisfies Readonly<Record<string, DebianProgram>>;

/** The authorities and the resolver that names are tried on. */
export const dnsServerPrograms: readonly DebianProgram[] = Object.values(programs);

/** Where one of them is; installs all that are missing, at once, because package managers do not run side by side. */
export async function dnsServerProgram(name: keyof typeof programs): Promise<string> {
  await findDebian(dnsServerPrograms, (line) => void process.stderr.write(`${line}\n`));
  const [path = ''] = await findDebian([programs[name]], () => undefined);
  return path;
}
