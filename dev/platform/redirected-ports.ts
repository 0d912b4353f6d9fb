import { outputOf } from '../lib/output.ts';
import { findDebian } from './debian.ts';
import type { Progress } from './progress.ts';

/** A port of an address, and ADDR:PORT where its connections go instead. */
interface RedirectedPort {
  readonly port: number;
  readonly to: string;
}

/**
 * What a Service of type LoadBalancer does for an edge that does not listen at low ports: connections from this machine to a port of the
 * address go elsewhere on it, and keep the visitor's address. Until the result is called. Root needed.
 */
export async function redirectPorts(
  address: string,
  ports: readonly RedirectedPort[],
  progress: Progress,
): Promise<() => Promise<void>> {
  const [iptables = ''] = await findDebian([{ file: 'iptables', package: 'iptables' }], progress);
  const rules = ports.map(({ port, to }) => [
    ...['OUTPUT', '-d', `${address}/32`, '-p', 'tcp', '--dport', String(port)],
    ...['-j', 'DNAT', '--to-destination', to],
  ]);
  const change = async (verb: string, rule: readonly string[]) =>
    outputOf(iptables, ['-w', '-t', 'nat', verb, ...rule]);
  for (const rule of rules) await change('-A', rule);
  return async () => {
    for (const rule of rules) await change('-D', rule);
  };
}
