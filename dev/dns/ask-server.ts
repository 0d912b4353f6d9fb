import type { DecodedPacket, Question } from 'dns-packet';
import { decode, encode } from 'dns-packet';
import { askUdp } from './ask-udp.ts';

/** What the types of dns-packet leave out. */
type Answered = DecodedPacket & { readonly rcode: string };

const deadlineMs = 2_000;

/** What a name server answers to one question over UDP; null when it says nothing that can be read within two seconds. */
export async function askServer(address: string, question: Question): Promise<Answered | null> {
  const answer = await askUdp(address, encode({ type: 'query', id: 1, questions: [question] }), deadlineMs);
  return answer && tryDecode(answer);
}

function tryDecode(message: Buffer): Answered | null {
  try {
    return decode(message) as Answered;
  } catch {
    return null;
  }
}
