import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../../../dev/platform/process.ts';
import { startPart } from '../../../dev/platform/process.ts';
import { dnsServerProgram } from './programs.ts';
import { answersOnce } from './ready.ts';

export interface ResolverOptions {
  readonly name: string;
  readonly dir: string;
  /** of loopback; port 53 */
  readonly address: string;
  readonly rootAddress: string;
  /** DS or DNSKEY line of the root, or of a zone; without one nothing is validated */
  readonly trustAnchor: string | null;
  /** the server at the root's address is a resolver too, which is asked for everything */
  readonly isForwarder?: true;
  /** a zone whose servers are known, whatever the zones above say */
  readonly stub?: { readonly zone: string; readonly addresses: readonly string[] };
  /** seconds that anything is kept; by default as long as Unbound likes */
  readonly keepsFor?: number;
}

/** Unbound with this root, which may ask servers on loopback. Ends with this process. */
export async function startUnbound(options: ResolverOptions): Promise<Part> {
  const { name, dir, address, rootAddress, trustAnchor, isForwarder, stub, keepsFor } = options;
  const program = await dnsServerProgram('unbound');
  const home = join(dir, name);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'root.hints'), `. 3600 NS a.root.\na.root. 3600 A ${rootAddress}\n`);
  const config = [
    'server:',
    '  username: ""',
    '  chroot: ""',
    `  directory: "${home}"`,
    '  pidfile: ""',
    '  use-syslog: no',
    '  num-threads: 1',
    '  outgoing-num-tcp: 200',
    `  interface: ${address}`,
    `  outgoing-interface: ${address}`,
    '  access-control: 127.0.0.0/8 allow',
    '  do-not-query-localhost: no',
    '  do-ip6: no',
    // Unbound answers for names of RFC 6761, unless it is told otherwise.
    '  local-zone: "test." nodefault',
    `  root-hints: "${join(home, 'root.hints')}"`,
    ...(trustAnchor === null ? ['  module-config: "iterator"'] : [`  trust-anchor: "${trustAnchor}"`]),
    ...(keepsFor === undefined
      ? []
      : ['cache-max-ttl', 'cache-max-negative-ttl', 'val-bogus-ttl'].map((what) => `  ${what}: ${keepsFor}`)),
    ...(stub === undefined ? [] : stubZone(stub)),
    ...(isForwarder ? ['forward-zone:', '  name: "."', `  forward-addr: ${rootAddress}`] : []),
    'remote-control:',
    '  control-enable: no',
    '',
  ];
  writeFileSync(join(home, 'unbound.conf'), config.join('\n'));
  return startPart({
    name,
    program,
    args: ['-d', '-c', join(home, 'unbound.conf')],
    dir,
    ready: answersOnce(address, ''),
  });
}

const stubZone = ({ zone, addresses }: NonNullable<ResolverOptions['stub']>): readonly string[] => [
  'stub-zone:',
  `  name: "${zone}"`,
  ...addresses.map((address) => `  stub-addr: ${address}`),
];
