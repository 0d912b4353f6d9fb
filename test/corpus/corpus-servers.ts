import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeCorner } from '../../dev/platform/address.ts';
import { startFaultyServer } from '../support/dns-servers/faulty-server.ts';
import { startKnot } from '../support/dns-servers/knot.ts';
import { startNsd } from '../support/dns-servers/nsd.ts';
import { dnsServerProgram } from '../support/dns-servers/programs.ts';
import { startUnbound } from '../support/dns-servers/unbound.ts';
import type { CorpusName } from './corpus-name.ts';
import type { CorpusZones } from './corpus-zones.ts';
import { corpusZones } from './corpus-zones.ts';

/** The running hierarchy. */
export interface CorpusServers {
  readonly root: string;
  /** a recursive resolver that does not validate */
  readonly resolver: string;
  readonly hostnames: ReadonlyMap<CorpusName, string>;
  /** how long a server takes for each answer, by its address; milliseconds */
  readonly delays: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** `edit`: what was changed in the zones since, by somebody who followed advice. */
export async function startCorpus(
  names: readonly CorpusName[],
  edit: (zones: CorpusZones) => CorpusZones = (zones) => zones,
): Promise<CorpusServers> {
  const corner = await takeCorner();
  const dir = mkdtempSync(join(tmpdir(), 'projectdomain-corpus-'));
  const net = corner.address.slice(0, corner.address.lastIndexOf('.'));
  const range = corner.serviceRange.split('.').slice(0, 2).join('.');
  const at = {
    root: `${net}.10`,
    registry: [`${net}.11`, `${net}.12`] as const,
    knot: `${net}.20`,
    nsd: `${net}.30`,
    faulty: (number: number) => `${range}.${number >> 7}.${(number & 127) + 1}`,
  };
  const resolver = `${net}.40`;
  const { hostnames, ...zones } = edit(corpusZones(names, at));
  const [first, second] = zones.registry;
  await dnsServerProgram('knotd');
  const parts = await Promise.all([
    startKnot({ name: 'root', dir, addresses: [at.root], zones: zones.root }),
    startKnot({ name: 'registry-a', dir, addresses: [at.registry[0]], zones: first }),
    startKnot({ name: 'registry-b', dir, addresses: [at.registry[1]], zones: second }),
    startKnot({ name: 'knot', dir, addresses: [at.knot], zones: zones.knot }),
    startNsd({ name: 'nsd', dir, addresses: [at.nsd], zones: zones.nsd }),
    startUnbound({ name: 'unbound', dir, address: resolver, rootAddress: at.root, trustAnchor: null }),
  ]);
  const stops = await inParallel(50, zones.faulty, ({ address, behind, faults }) =>
    startFaultyServer(address, behind, faults),
  );
  return {
    root: at.root,
    resolver,
    hostnames: new Map(names.map((name, index) => [name, hostnames[index] ?? ''])),
    delays: new Map(zones.faulty.flatMap(({ address, faults }) => (faults.delayMs ? [[address, faults.delayMs]] : []))),
    async stop() {
      await Promise.all([...stops.map((stop) => stop()), ...parts.map((part) => part.stop())]);
      corner.release();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Runs the action for each item, so many at a time. */
export async function inParallel<T, R>(
  count: number,
  items: readonly T[],
  action: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await action(item);
  };
  await Promise.all(Array.from({ length: count }, worker));
  return results;
}
