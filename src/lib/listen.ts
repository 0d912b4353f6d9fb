import type { Server } from 'node:net';
import { listenAddressForm, parseListenAddress } from './listen-address.ts';

/** Resolves once the server listens there. Rejects when it cannot, or when the text is no listen address. */
export async function listen(server: Server, address: string): Promise<void> {
  const where = parseListenAddress(address);
  if (where === null) throw new Error(`${address} is not ${listenAddressForm}`);
  await new Promise<void>((done, fail) => server.once('error', fail).listen(where, done));
}
