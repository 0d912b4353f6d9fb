import { encodeQuestion } from '../../../src/dns/lookup/dns-message.ts';
import { createSocket } from 'node:dgram';

const patienceMs = 300;

/** True once the server at port 53 of the address answers a question about the zone's apex, whatever it says. */
export const answersOnce = (address: string, apex: string) => (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4');
    const end = (answered: boolean) => {
      clearTimeout(timer);
      socket.removeAllListeners().on('error', () => undefined);
      socket.close();
      resolve(answered);
    };
    const timer = setTimeout(() => end(false), patienceMs);
    socket.on('error', () => end(false));
    socket.on('message', () => end(true));
    socket.connect(53, address, () => socket.send(encodeQuestion({ name: apex, type: 'SOA', recursive: true }).bytes));
  });
