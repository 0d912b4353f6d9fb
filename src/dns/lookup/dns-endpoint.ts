import { isIP } from 'node:net';

/** Where a DNS server listens. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

const dnsPort = 53;

/** Reads `ADDR`, `ADDR:PORT`, `[V6]:PORT` or a bare IPv6 address; throws a sentence for anything else. */
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
