import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../../../dev/platform/process.ts';
import { startPart } from '../../../dev/platform/process.ts';
import { dnsServerProgram } from './programs.ts';
import { answersOnce } from './ready.ts';
import type { ZoneFile } from './zone-file.ts';
import { zoneFileName, zoneText } from './zone-file.ts';

export interface AuthorityOptions {
  readonly name: string;
  readonly dir: string;
  /** of loopback; port 53 of each */
  readonly addresses: readonly string[];
  readonly zones: readonly ZoneFile[];
  /** further sections of the configuration, before those of the zones */
  readonly sections?: readonly string[];
  /** further settings of each zone */
  readonly perZone?: readonly string[];
}

/** Knot DNS with these zones, as processes of its own that end with this one. */
export async function startKnot(options: AuthorityOptions): Promise<Part> {
  const { name, dir, addresses, zones, sections = [], perZone = [] } = options;
  const program = await dnsServerProgram('knotd');
  const home = join(dir, name);
  mkdirSync(home, { recursive: true });
  for (const zone of zones) writeFileSync(join(home, zoneFileName(zone.apex)), zoneText(zone));
  const config = [
    'server:',
    `  rundir: "${home}"`,
    `  listen: [${addresses.map((address) => `${address}@53`).join(', ')}]`,
    '  udp-workers: 1',
    '  tcp-workers: 1',
    '  background-workers: 1',
    'database:',
    `  storage: "${home}"`,
    'log:',
    '  - target: stderr',
    '    any: warning',
    'template:',
    '  - id: default',
    `    storage: "${home}"`,
    '    semantic-checks: off',
    '    journal-content: none',
    ...sections,
    'zone:',
    ...zones.flatMap(({ apex }) => [`  - domain: "${apex}."`, `    file: "${zoneFileName(apex)}"`, ...perZone]),
    '',
  ];
  writeFileSync(join(home, 'knot.conf'), config.join('\n'));
  return startPart({
    name,
    program,
    args: ['-c', join(home, 'knot.conf')],
    dir,
    ready: answersOnce(addresses[0] ?? '', zones[0]?.apex ?? ''),
  });
}
