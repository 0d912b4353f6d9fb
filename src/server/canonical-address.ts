import { isIP } from 'node:net';

/**
 * An IP address in the one form that stands for it: IPv6 as RFC 5952 writes it and without its zone, and IPv4 where IPv6 only
 * contains it (::ffff:0:0/96, in any of its spellings). Null for a text that is no address.
 */
export function canonicalAddress(text: string): string | null {
  const family = isIP(text);
  // As the kernel tells the address of each IPv4 client of a socket for both families.
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1];
  if (family === 6 && mapped !== undefined) return mapped;
  if (family !== 6) return family === 4 ? text : null;
  const address = URL.parse(`http://[${text.replace(/%.*$/s, '')}]/`)?.hostname.slice(1, -1) ?? null;
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address ?? '') ?? [];
  if (high === undefined || low === undefined) return address;
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** The first 56 bits of an IPv6 address in its canonical form, as a CIDR range. */
export function network56(address: string): string {
  const [head = '', tail] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  const numbers = [...before, ...zeros, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16));
  return `${numbers.map((number, index) => (index === 3 ? number & 0xff00 : number).toString(16)).join(':')}::/56`;
}
