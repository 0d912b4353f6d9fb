/**
 * The network whose sockets count together: an IPv4 address, also where it is mapped into IPv6, or the /56 of an IPv6 address, as
 * customers get whole networks. `unknown` for a socket that has no peer any more.
 */
export function peerNetwork(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  const [first, second, third, fourth = '0'] = [...before, ...zeros, ...after];
  return `${first}:${second}:${third}:${(Number.parseInt(fourth, 16) & 0xff00).toString(16)}::/56`;
}

const groupsOf = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));
