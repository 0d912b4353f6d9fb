import { createSocket } from 'node:dgram';

/**
 * A name server that never answers: its port is open, so that the kernel refuses nothing in its place. Resolves to
 * what ends it.
 */
export async function startSilentServer(address: string, port = 53): Promise<() => Promise<void>> {
  const socket = createSocket('udp4');
  socket.on('message', () => undefined);
  await new Promise<void>((done, fail) => socket.once('error', fail).bind(port, address, done));
  return () => new Promise((done) => socket.close(() => done()));
}
