import { createSocket } from 'node:dgram';

const port = 53;

/** What a name server at port 53 of an IPv4 address answers to one message over UDP; null when it says nothing in time. */
export const askUdp = (address: string, message: Uint8Array, deadlineMs: number): Promise<Buffer | null> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4');
    const end = (answer: Buffer | null) => {
      clearTimeout(timer);
      socket.removeAllListeners().on('error', () => undefined);
      socket.close();
      resolve(answer);
    };
    const timer = setTimeout(() => end(null), deadlineMs);
    socket.on('error', () => end(null));
    socket.on('message', end);
    // A connected socket hears of nobody else.
    socket.connect(port, address, () => socket.send(message));
  });
