import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../../../dev/platform/process.ts';
import { startPart } from '../../../dev/platform/process.ts';
import type { AuthorityOptions } from './knot.ts';
import { dnsServerProgram } from './programs.ts';
import { answersOnce } from './ready.ts';
import { zoneFileName, zoneText } from './zone-file.ts';

/** NSD with these zones, as processes of its own that end with this one. */
export async function startNsd({ name, dir, addresses, zones }: AuthorityOptions): Promise<Part> {
  const program = await dnsServerProgram('nsd');
  const home = join(dir, name);
  mkdirSync(home, { recursive: true });
  for (const zone of zones) writeFileSync(join(home, zoneFileName(zone.apex)), zoneText(zone));
  const config = [
    'server:',
    ...addresses.map((address) => `  ip-address: ${address}@53`),
    '  server-count: 1',
    '  username: ""',
    '  chroot: ""',
    '  database: ""',
    `  zonesdir: "${home}"`,
    `  pidfile: "${join(home, 'nsd.pid')}"`,
    `  xfrdfile: "${join(home, 'xfrd.state')}"`,
    `  zonelistfile: "${join(home, 'zone.list')}"`,
    `  cookie-secret-file: "${join(home, 'cookies')}"`,
    'remote-control:',
    '  control-enable: no',
    ...zones.flatMap(({ apex }) => ['zone:', `  name: "${apex}."`, `  zonefile: "${zoneFileName(apex)}"`]),
    '',
  ];
  writeFileSync(join(home, 'nsd.conf'), config.join('\n'));
  return startPart({
    name,
    program,
    args: ['-d', '-c', join(home, 'nsd.conf')],
    dir,
    ready: answersOnce(addresses[0] ?? '', zones[0]?.apex ?? ''),
  });
}
