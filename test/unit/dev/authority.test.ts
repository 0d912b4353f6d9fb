import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSocket } from 'node:dgram';
import type { DecodedPacket } from 'dns-packet';
import { decode, encode, RECURSION_DESIRED } from 'dns-packet';
import type { Authority } from '../../../dev/dns/authority.ts';
import { startAuthority } from '../../../dev/dns/authority.ts';

const [address, zoneAddress] = ['127.88.21.1', '127.88.21.2'] as const;
const port = 5_353;
const elsewhere = ['127.88.21.3', '127.88.21.4'] as const;
let authority: Authority;

beforeAll(async () => {
  authority = await startAuthority({ address, zoneAddress, controlAddress: address, port });
  authority.putZone('ours.example', '@ A 192.0.2.1');
  authority.delegate('theirs.test', elsewhere);
});

afterAll(() => authority.stop());

interface Asked {
  readonly name: string;
  readonly recursive: boolean;
}

/** Asks all of them from one socket, one after the other; resolves with the answers once the last question has its own. */
function askInOrder(questions: readonly Asked[]): Promise<readonly DecodedPacket[]> {
  const socket = createSocket('udp4');
  const answers: DecodedPacket[] = [];
  return new Promise((resolve) => {
    socket.on('message', (message) => {
      const answer = decode(message);
      answers.push(answer);
      if (answer.id === questions.length - 1) socket.close(() => resolve(answers));
    });
    questions.forEach(({ name, recursive }, id) => {
      const flags = recursive ? RECURSION_DESIRED : 0;
      const question = { type: 'A', name } as const;
      socket.send(encode({ type: 'query', id, flags, questions: [question] }), port, address);
    });
  });
}

/** Fails when a zone of somebody else's is answered for, so that nobody waits for its servers. */
describe('the DNS world on loopback', () => {
  it.each<[string, string]>([
    ['the delegated zone itself', 'theirs.test'],
    ['a name in it', 'www.theirs.test'],
    ['a name deep in it, written in capitals', 'a.b.WWW.Theirs.test'],
  ])('the root refers to the servers elsewhere for %s', async (_, name) => {
    const [answer] = await askInOrder([{ name, recursive: false }]);
    expect(answer?.flag_aa).toBe(false);
    expect(answer?.authorities).toMatchObject([
      { type: 'NS', name: 'theirs.test', data: 'ns1.theirs.test' },
      { type: 'NS', name: 'theirs.test', data: 'ns2.theirs.test' },
    ]);
    expect(answer?.additionals).toMatchObject([
      { name: 'ns1.theirs.test', data: elsewhere[0] },
      { name: 'ns2.theirs.test', data: elsewhere[1] },
    ]);
  });

  it.each<[string, string, string]>([
    ['a name that only ends alike does not exist', 'nottheirs.test', 'NXDOMAIN'],
    ['the name above exists', 'test', 'NOERROR'],
  ])('%s', async (_, name, rcode) => {
    const [answer] = await askInOrder([{ name, recursive: false }]);
    expect((answer as { rcode?: string } | undefined)?.rcode).toBe(rcode);
    expect(answer?.authorities).toMatchObject([{ type: 'SOA' }]);
  });

  it('the resolver leaves a question about a zone elsewhere without an answer, and answers the next', async () => {
    const answers = await askInOrder([
      { name: 'www.theirs.test', recursive: true },
      { name: 'ours.example', recursive: true },
    ]);
    expect(answers.map(({ id }) => id)).toEqual([1]);
    expect(answers[0]?.answers).toMatchObject([{ data: '192.0.2.1' }]);
  });
});
