import { execFileSync } from 'node:child_process';
import type { NodeCorner } from '../address.ts';

/**
 * Joins the node's network to this machine's by a pair of virtual links: one end here, one (eth0) there. The kernel takes
 * both away when the node's namespaces end.
 */
export function joinNetworks(pid: number, { link, address, zoneAddress, nodeAddress, networks }: NodeCorner): void {
  const here = (...args: readonly string[]) =>
    void execFileSync('ip', [...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  const there = (...args: readonly string[]) =>
    void execFileSync('nsenter', ['--target', String(pid), '--net', 'ip', ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  here('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid));
  here('address', 'add', `${address}/24`, 'dev', link);
  here('address', 'add', `${zoneAddress}/24`, 'dev', link);
  here('link', 'set', link, 'up');
  there('address', 'add', `${nodeAddress}/24`, 'dev', 'eth0');
  there('link', 'set', 'eth0', 'up');
  there('route', 'add', 'default', 'via', address);
  for (const network of networks.slice(1)) here('route', 'add', network, 'via', nodeAddress);
}
