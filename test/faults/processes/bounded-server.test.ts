import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { BoundedServer, BoundedServerOptions } from '../../../src/lib/bounded-server.ts';
import { createSweptServer } from '../../../src/lib/bounded-server.ts';

/** The server of all our programs on real sockets; its clock stands still until a test moves it. */

let bounded: BoundedServer;
let now: number;
let begun: [IncomingMessage, ServerResponse][];
const clients: Socket[] = [];

const keep: RequestListener = (request, response) => void begun.push([request, response]);

async function start(options: Partial<BoundedServerOptions> = {}): Promise<void> {
  [now, begun] = [0, []];
  bounded = createSweptServer({ handle: keep, clock: { elapsed: () => now }, ...options });
  bounded.server.listen(0, '127.0.0.1');
  await once(bounded.server, 'listening');
}

afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  bounded.server.closeAllConnections();
  bounded.server.close();
});

interface Client extends Socket {
  heard: string;
}

async function open(bytes = '', localAddress = '127.0.0.1', allowHalfOpen = false): Promise<Client> {
  const taken = once(bounded.server, 'connection');
  const { port } = bounded.server.address() as AddressInfo;
  const client = Object.assign(connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen }), { heard: '' });
  clients.push(client.on('error', () => undefined).on('data', (part) => (client.heard += part.toString('latin1'))));
  client.write(bytes);
  await taken;
  return client;
}

const arrived = async (count: number) => {
  while (begun.length < count) await new Promise(setImmediate);
};
const closed = async (client: Socket) => {
  if (!client.closed) await once(client, 'close');
};
const answer = (index: number, body = '') => begun[index]?.[1].end(body);
const get = (path = '/') => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const post = (length: number, body: string) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${body}`;
const later = (ms: number) => {
  now += ms;
  bounded.sweep();
};

describe('a flood of connections', () => {
  const opened = async (count: number, localAddress: string): Promise<number> => {
    let made = 0;
    const make = () => void (made += 1);
    bounded.server.on('connection', make);
    const { port } = bounded.server.address() as AddressInfo;
    const flood = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', localAddress }));
    clients.push(...flood.map((client) => client.on('error', () => undefined)));
    // The kernel hands connections over in their order, so what is closed or greeted at last has everything before it.
    await open(get(), '127.0.0.3');
    await arrived(1);
    bounded.server.off('connection', make);
    return made - 1;
  };

  it('is closed before anything is made for it, once its address holds unusually many places', async () => {
    await start({ limits: { connections: 200 } });
    for (let held = 0; held < 20; held += 1) await open('', '127.0.0.2');
    expect(await opened(100, '127.0.0.2')).toBe(16);
  });

  it('of an address that holds none is accepted until it does', async () => {
    await start({ limits: { connections: 200 } });
    expect(await opened(100, '127.0.0.2')).toBe(20 + 16);
  });

  it('of a trusted proxy is accepted', async () => {
    await start({ limits: { connections: 200 }, isExempt: (peer) => peer === '127.0.0.2' });
    expect(await opened(100, '127.0.0.2')).toBe(100);
  });
});

describe('with two places, a third socket', () => {
  it.each<[string, string, boolean]>([
    ['that has sent nothing', '', true],
    ['whose head is outstanding', 'GET / HTTP/1.1\r\nHo', true],
    ['whose body is outstanding', post(5, 'x'), true],
    ['whose request is whole', get(), false],
    ['whose request with a body is whole', post(5, 'hello'), false],
  ])('ends the first, %s: %s', async (_, bytes, ends) => {
    await start({ limits: { connections: 2 } });
    const first = await open(bytes);
    if (bytes.includes('\r\n\r\n')) await arrived(1);
    await new Promise(setImmediate);
    const second = await open();
    await open();
    await closed(ends ? first : second);
    expect([first.closed, second.closed]).toEqual([ends, !ends]);
  });

  it('ends the one whose answer is not read, not the one that is being worked on', async () => {
    await start({ limits: { connections: 2 } });
    const working = await open(get('/working'));
    await arrived(1);
    const deaf = await open(get('/deaf'));
    deaf.pause();
    await arrived(2);
    answer(1, 'x'.repeat(50_000_000));
    bounded.sweep();
    const third = await open(get('/third'));
    await arrived(3);
    await eventually('the client that does not read is ended', 10_000, () =>
      Promise.resolve(expectThat(begun[1]?.[1].destroyed === true, 'not yet')),
    );
    expect([working.closed, third.closed]).toEqual([false, false]);
  });
});

describe('a trusted proxy', () => {
  it('loses none of its idle connections to an address that has fewer of them', async () => {
    await start({ limits: { connections: 5 }, isExempt: (peer) => peer === '127.0.0.9' });
    const proxys: Client[] = [];
    for (let count = 0; count < 3; count += 1) {
      proxys.push(await open(get(), '127.0.0.9'));
      await arrived(count + 1);
      answer(count);
    }
    const others = [await open(get()), await open(get())];
    await arrived(5);
    for (const index of [3, 4]) answer(index);
    await eventually('all are answered', 10_000, () =>
      Promise.resolve(
        expectThat(
          [...proxys, ...others].every(({ heard }) => heard !== ''),
          'not yet',
        ),
      ),
    );
    await open();
    await closed(others[0] as Client);
    expect(proxys.map((each) => each.closed)).toEqual([false, false, false]);
  });
});

describe('a client that sends several requests at once', () => {
  it('has them answered one after the other, each begun when the one before it is flushed', async () => {
    await start();
    const client = await open(get('/1') + get('/2') + get('/3'));
    await arrived(1);
    for (const index of [0, 1, 2]) {
      expect(begun.map(([{ url }]) => url)).toHaveLength(index + 1);
      answer(index, `answer ${index}`);
      if (index < 2) await arrived(index + 2);
    }
    await eventually('all are answered', 10_000, () =>
      Promise.resolve(expectThat(client.heard.endsWith('answer 2'), client.heard)),
    );
    client.write(get('/4'));
    await arrived(4);
  });

  it('and reads no answer has one begun, and nothing behind the second is read', async () => {
    await start();
    const client = await open(get() + get());
    await arrived(1);
    client.write(get().repeat(200_000));
    await eventually('nothing more is taken', 10_000, () =>
      Promise.resolve(expectThat(client.writableLength > 0, 'all was taken')),
    );
    expect(begun).toHaveLength(1);
  });

  it('more than sixteen beside the first is ended, and of what came with them no request is made', async () => {
    await start();
    let made = 0;
    bounded.server.on('request', () => (made += 1));
    const client = await open(get().repeat(2_000));
    await closed(client);
    expect([begun.length, made]).toEqual([1, 18]);
    const other = await open(get('/other'));
    await arrived(2);
    answer(1, 'fine');
    await eventually('others are answered', 10_000, () =>
      Promise.resolve(expectThat(other.heard.endsWith('fine'), other.heard)),
    );
  });

  it.each<[string, string, Readonly<Record<string, string>>]>([
    ['that we close after the first', get('/1'), { connection: 'close' }],
    ['that it closes after the first', 'GET /1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', {}],
  ])('on a connection %s has nothing else done', async (_, first, headers) => {
    await start();
    const client = await open(first + get('/2') + get('/3'));
    await arrived(1);
    const { socket } = begun[0]?.[0] ?? {};
    const ended = new Promise<void>((done) => socket?.once('close', () => done()));
    begun[0]?.[1].writeHead(200, headers).end('answer');
    await ended;
    await eventually('it is answered', 10_000, () =>
      Promise.resolve(expectThat(client.heard.includes('answer'), client.heard)),
    );
    expect(begun.map(([{ url }]) => url)).toEqual(['/1']);
  });

  it('and then nonsense gets the answer to the request first', async () => {
    await start();
    const client = await open(`${get()}NONSENSE\r\n\r\n`);
    await arrived(1);
    answer(0, 'first');
    await eventually('both are answered', 10_000, () =>
      Promise.resolve(expectThat(client.heard.includes('HTTP/1.1 400'), client.heard)),
    );
    expect(client.heard).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*first(?:\r\n0\r\n\r\n)?HTTP\/1\.1 400 Bad Request/);
  });
});

describe('a client that makes us wait', () => {
  it('for its body is told so after five seconds, and its connection ends', async () => {
    await start();
    const client = await open(post(5, 'x'));
    await arrived(1);
    later(5_000);
    expect(client.heard).toBe('');
    later(1);
    await eventually('it is told', 10_000, () =>
      Promise.resolve(expectThat(client.heard.startsWith('HTTP/1.1 408 '), client.heard)),
    );
    later(1_001);
    await closed(client);
  });

  it.each<[string, (client: Client) => Promise<void>]>([
    [
      'once it is told',
      (client) => eventually('it is told', 10_000, () => Promise.resolve(expectThat(client.heard !== '', ''))),
    ],
    ['before it is told', () => Promise.resolve()],
  ])('for its body does not have its request done when it sends the rest %s', async (when, wait) => {
    const { promise: mayTell, resolve: tell } = Promise.withResolvers<void>();
    if (when.startsWith('once')) tell();
    const late = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';
    await start({ refuse: () => mayTell.then(() => late) });
    const client = await open(post(5, 'he'), '127.0.0.1', true);
    await arrived(1);
    const [request, response] = begun[0] ?? [];
    let read = '';
    const done = new Promise<string>((resolve) => {
      request?.on('data', (part: Buffer) => (read += part.toString())).on('end', () => resolve('whole'));
      request?.on('error', () => resolve('cut off'));
    });
    later(5_001);
    await wait(client);
    await new Promise<void>((sent) => client.write('llo', () => sent()));
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    tell();
    await eventually('it is told', 10_000, () => Promise.resolve(expectThat(client.heard === late, client.heard)));
    later(1_001);
    expect([await done, read, response?.headersSent]).toEqual(['cut off', 'he', false]);
  });

  it('for the body of a request that was answered is ended after five seconds', async () => {
    await start();
    const client = await open(post(5, 'x'));
    await arrived(1);
    answer(0);
    await eventually('it is answered', 10_000, () => Promise.resolve(expectThat(client.heard !== '', 'not yet')));
    later(5_001);
    await closed(client);
  });

  // Would fail if what it is still sending took the answer from it: a socket that is closed with something unread resets its connection.
  it('for the body of a request that got the last answer is read for a second, and then ended', async () => {
    await start({ handle: (_request, response) => response.writeHead(413, { connection: 'close' }).end('too large') });
    const client = await open(post(9_999_999, 'x'), '127.0.0.1', true);
    await eventually('it is told', 10_000, () =>
      Promise.resolve(expectThat(client.heard.includes('too large'), client.heard)),
    );
    const written = new Promise<Error | null | undefined>((done) => client.write('x'.repeat(3_000_000), done));
    expect(await written).toBeFalsy();
    const connections = () =>
      new Promise<number>((done) => bounded.server.getConnections((_error, count) => done(count)));
    expect(await connections()).toBe(1);
    later(1_001);
    await eventually('it is ended', 10_000, async () => expectThat((await connections()) === 0, 'it is open'));
    expect(client.heard.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('to read an answer is ended once it has taken nothing for ten seconds', async () => {
    await start();
    const client = await open(get());
    client.pause();
    await arrived(1);
    const response = begun[0]?.[1];
    response?.write('x'.repeat(50_000_000));
    const { socket } = response ?? {};
    let queued = -1;
    // The kernel takes some of it, and then no more.
    await eventually('the kernel is full', 10_000, () => {
      const { writeQueueSize = 0 } = (socket as { _handle?: { writeQueueSize?: number } } | null)?._handle ?? {};
      const before = queued;
      queued = writeQueueSize;
      return Promise.resolve(expectThat(queued > 0 && queued === before, `${queued}`));
    });
    bounded.sweep();
    later(10_000);
    expect(socket?.destroyed).toBe(false);
    later(1);
    expect(socket?.destroyed).toBe(true);
  });

  it.each<[string, string]>([
    ['a whole request', get()],
    ['a whole request with a body', post(5, 'hello')],
  ])('and sends much of what is never whole behind %s goes first', async (_, whole) => {
    await start({ limits: { unreadBytes: 50_000 } });
    const bytes = `${whole}GET / HTTP/1.1\r\nX: ${'x'.repeat(60_000)}`;
    const large = await open(bytes);
    await arrived(1);
    begun[0]?.[0].resume();
    await eventually('all of it has come', 10_000, () =>
      Promise.resolve(expectThat(begun[0]?.[0].socket.bytesRead === bytes.length, 'not yet')),
    );
    const small = await open(whole);
    await arrived(2);
    begun[1]?.[0].resume();
    for (const index of [0, 1]) answer(index);
    await eventually('both are answered', 10_000, () =>
      Promise.resolve(expectThat(large.heard !== '' && small.heard !== '', 'not yet')),
    );
    bounded.sweep();
    expect(begun.map(([{ socket }]) => socket.destroyed)).toEqual([true, false]);
  });

  it('for the rest of a head is unfinished, and one that sent whole requests alone is idle', async () => {
    await start({ limits: { connections: 3 } });
    const waiting = [await open(get())];
    await arrived(1);
    waiting.push(await open(`${get()}GET / HT`));
    await arrived(2);
    waiting.push(await open(post(5, 'hello')));
    await arrived(3);
    for (const index of [0, 1, 2]) {
      begun[index]?.[0].resume();
      answer(index);
    }
    await eventually('all are answered', 10_000, () =>
      Promise.resolve(
        expectThat(
          waiting.every(({ heard }) => heard !== ''),
          'not yet',
        ),
      ),
    );
    await open();
    expect(begun.map(([{ socket }]) => socket.destroyed)).toEqual([false, true, false]);
  });

  it('and sends much of what is never whole goes first', async () => {
    await start({ limits: { unreadBytes: 50_000 } });
    const large = await open(`GET / HTTP/1.1\r\nX: ${'x'.repeat(60_000)}`);
    const small = await open('GET / HTTP/1.1\r\nX: x');
    await eventually('it has arrived, and it is ended', 10_000, () => {
      bounded.sweep();
      return Promise.resolve(expectThat(large.closed, 'open'));
    });
    expect(small.closed).toBe(false);
  });
});

describe('a body', () => {
  const asking = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n';

  it('that its client holds back is invited when somebody begins to read it', async () => {
    await start();
    const client = await open(asking);
    await arrived(1);
    expect(client.heard).toBe('');
    begun[0]?.[0].resume();
    await eventually('it is invited', 10_000, () =>
      Promise.resolve(expectThat(client.heard === 'HTTP/1.1 100 Continue\r\n\r\n', client.heard)),
    );
  });

  it('that nobody reads is not invited', async () => {
    await start();
    const client = await open(asking);
    await arrived(1);
    answer(0);
    await closed(client);
    expect(client.heard).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('what is no request', () => {
  it.each<[string, string, string]>([
    ['nonsense', 'NONSENSE\r\n\r\n', 'malformed '],
    ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 'tunnel CONNECT'],
    ['a head beyond the limit', `GET / HTTP/1.1\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`, 'headers-too-large '],
  ])('such as %s is answered once, and its connection ends although the client goes on', async (_, bytes, expected) => {
    const refused: string[] = [];
    await start({
      refuse: ({ reason, request }) => {
        refused.push(`${reason} ${request?.method ?? ''}`);
        return 'HTTP/1.1 400 Bad Request\r\n\r\n';
      },
    });
    const client = await open(bytes);
    await eventually('it is told', 10_000, () => Promise.resolve(expectThat(client.heard !== '', 'not yet')));
    client.write('x\r\n\r\n');
    later(1_001);
    await closed(client);
    expect(refused).toEqual([expected]);
    expect(begun).toEqual([]);
  });

  it.each([
    ['without a Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['with an expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n'],
    ['with an upgrade', 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  ])('is not a request %s: the handler is given it', async (_, bytes) => {
    await start();
    await open(bytes);
    await arrived(1);
    expect(begun).toHaveLength(1);
  });
});
