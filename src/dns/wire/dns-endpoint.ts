import { isIP } from 'node:net';

/** Where a DNS server listens. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

const dnsPort = 53;

/** Parses `ADDR`, `ADDR:PORT`, `[V6]:PORT` or a bare IPv6 address; throws an Error that says why otherwise. */
export function parseEndpoint(text: string): Endpoint {
  if (isIP(text) !== 0) return { address: text, port: dnsPort };
  const match = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+)):(\d{1,5})$/i.exec(text);
  const address = match?.[1] ?? match?.[2] ?? '';
  const port = Number(match?.[3]);
  if (isIP(address) === 0 || port < 1 || port > 65_535) throw new Error(`'${text}' is not ADDR or ADDR:PORT`);
  return { address, port };
}

export const printEndpoint = ({ address, port }: Endpoint): string =>
  address.includes(':') ? `[${address}]:${port}` : port === dnsPort ? address : `${address}:${port}`;

/** IPv4 addresses of the root servers (IANA root hints). */
export const rootServers: readonly string[] = Object.freeze([
  '198.41.0.4',
  '170.247.170.2',
  '192.33.4.12',
  '199.7.91.13',
  '192.203.230.10',
  '192.5.5.241',
  '192.112.36.4',
  '198.97.190.53',
  '192.36.148.17',
  '192.58.128.30',
  '193.0.14.129',
  '199.7.83.42',
  '202.12.27.33',
]);
