import { createSocket } from 'node:dgram';
import type { DecodedPacket, Question } from 'dns-packet';
import { decode, encode } from 'dns-packet';

/** What the types of dns-packet leave out. */
type Answered = DecodedPacket & { readonly rcode: string };

const deadlineMs = 2_000;
const port = 53;

/** What a name server answers to one question over UDP; null when it says nothing within two seconds. */
export const askServer = (address: string, question: Question): Promise<Answered | null> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4');
    const end = (answer: Answered | null) => {
      clearTimeout(timer);
      socket.removeAllListeners().on('error', () => undefined);
      socket.close();
      resolve(answer);
    };
    const timer = setTimeout(() => end(null), deadlineMs);
    socket.on('error', () => end(null));
    // A connected socket hears of nobody else.
    socket.on('message', (message) => end(tryDecode(message)));
    socket.connect(port, address, () => socket.send(encode({ type: 'query', id: 1, questions: [question] })));
  });

function tryDecode(message: Buffer): Answered | null {
  try {
    return decode(message) as Answered;
  } catch {
    return null;
  }
}
