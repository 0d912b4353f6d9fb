import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import type { UpdateKey } from './update-message.ts';
import { readUpdate, updateResponse } from './update-message.ts';

export interface UpdateServerOptions {
  /** of loopback */
  readonly address: string;
  readonly port: number;
  /** in lower case without the trailing dot */
  readonly zone: string;
  readonly key: UpdateKey;
  /** Serves the zone with these TXT records, as master-file text, in place of those before. */
  readonly serve: (text: string) => void;
  /** milliseconds since the Unix epoch */
  readonly now: () => number;
}

export interface UpdateServer {
  stop(): Promise<void>;
}

const [codeDone, codeFormat, codeRefused] = [0, 1, 5];
/** seconds */
const ttl = 10;

/** Takes signed changes of a zone's TXT records over TCP, and has it served with them. */
export async function startUpdateServer(options: UpdateServerOptions): Promise<UpdateServer> {
  const texts = new Map<string, readonly string[]>();
  options.serve('');
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const length = received.length < 2 ? null : received.readUInt16BE(0);
      if (length === null || received.length < 2 + length) return;
      const answer = answerTo(received.subarray(2, 2 + length), options, texts);
      socket.end(Buffer.concat([Buffer.from([answer.length >> 8, answer.length & 255]), answer]));
    });
  });
  await new Promise<void>((done, fail) => server.once('error', fail).listen(options.port, options.address, done));
  return {
    stop: () =>
      new Promise<void>((done) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => done());
      }),
  };
}

function answerTo(message: Buffer, options: UpdateServerOptions, texts: Map<string, readonly string[]>): Buffer {
  const { zone, key, now } = options;
  const update = tryRead(message, options);
  if (typeof update === 'number') return updateResponse(message, update, null);
  const { changes, mac } = update;
  const isInside = update.zone === zone && changes.every(({ name }) => name.endsWith(`.${zone}`));
  if (isInside) {
    for (const { name, kind, text } of changes) {
      const value = text.toString('latin1');
      const others = (texts.get(name) ?? []).filter((other) => other !== value);
      texts.set(name, kind === 'ANY' ? [] : [...others, ...(kind === 'IN' ? [value] : [])]);
    }
    options.serve(masterText(texts));
  }
  return updateResponse(message, isInside ? codeDone : codeRefused, { key, mac, now: now() });
}

function tryRead(message: Buffer, { key, now }: UpdateServerOptions) {
  try {
    return readUpdate(message, key, now());
  } catch {
    return codeFormat;
  }
}

const masterText = (texts: ReadonlyMap<string, readonly string[]>): string =>
  [...texts]
    .flatMap(([name, values]) => values.map((value) => `${name}. ${ttl} TXT "${value.replaceAll(/["\\]/g, '\\$&')}"`))
    .join('\n');
