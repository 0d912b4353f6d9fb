import { request } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import type { ConnectionOptions, DetailedPeerCertificate, PeerCertificate, TLSSocket } from 'node:tls';
import { connect } from 'node:tls';

/** What an edge passes on, and what it shows in a handshake: more of it than visitor.ts asks for. */

export interface Exchange {
  readonly address: string;
  /** null where the certificate is not verified */
  readonly ca: Buffer | null;
  readonly hostname: string;
  readonly method?: string;
  readonly path?: string;
  /** a list for a field that is sent several times */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Buffer | string;
  /** how long nothing may come; five seconds when absent */
  readonly timeoutMs?: number;
  /** each part of the answer's body when it comes */
  readonly onPart?: (part: Buffer) => void;
}

export interface Exchanged {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** of the trailer section */
  readonly trailers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** One request over HTTPS on a connection of its own. */
export function exchange(asked: Exchange): Promise<Exchanged> {
  const { address, ca, hostname, method = 'GET', path = '/', headers = {}, body, timeoutMs = 5_000, onPart } = asked;
  return new Promise((resolve, reject) => {
    const options = { host: address, port: 443, servername: hostname, ...trusting(ca), method, path, agent: false };
    const sent = request({ ...options, headers: { host: hostname, ...(headers as object) }, timeout: timeoutMs });
    sent.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => {
        parts.push(part);
        onPart?.(part);
      });
      response.on('end', () => {
        const { statusCode: status = 0, headers: got, trailers } = response;
        resolve({ status, headers: got, trailers, body: Buffer.concat(parts) });
      });
      response.on('error', reject);
    });
    sent.on('timeout', () => sent.destroy(new Error('timeout')));
    sent.on('error', reject);
    sent.end(body);
  });
}

const trusting = (ca: Buffer | null) => (ca === null ? { rejectUnauthorized: false } : { ca });

interface Handshake extends Pick<ConnectionOptions, 'minVersion' | 'maxVersion' | 'ALPNProtocols' | 'ciphers'> {
  readonly address: string;
  /** null for none */
  readonly servername: string | null;
  /** null where the certificate is not verified */
  readonly ca: Buffer | null;
}

export interface Shaken {
  readonly certificate: PeerCertificate;
  /** PEM-less DER of every certificate that was sent, the server's own first */
  readonly chain: readonly Buffer[];
  readonly protocol: string | null;
  readonly alpn: string | null;
}

/** A handshake, after which nothing is asked. Rejects when it fails. */
export function handshake({ address, servername, ca, ...options }: Handshake): Promise<Shaken> {
  const named = servername === null ? {} : { servername };
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port: 443, ...named, ...trusting(ca), ...options }, () => {
      const { alpnProtocol } = socket;
      resolve({
        certificate: socket.getPeerCertificate(),
        chain: chainOf(socket),
        protocol: socket.getProtocol(),
        alpn: alpnProtocol === false ? null : alpnProtocol,
      });
      socket.destroy();
    });
    socket.setTimeout(5_000, () => socket.destroy(new Error('timeout')));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('closed before the handshake ended')));
  });
}

function chainOf(socket: TLSSocket): readonly Buffer[] {
  const chain: Buffer[] = [];
  let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  while (next !== undefined && !chain.some((one) => one.equals(next?.raw ?? one))) {
    chain.push(next.raw);
    next = next.issuerCertificate;
  }
  return chain;
}

export interface Connection {
  /** Sends bytes, latin1, and resolves with all that came since, once `isWhole` says that it is what was waited for. */
  say(text: string, isWhole: (answer: string) => boolean): Promise<string>;
  isOpen(): boolean;
  close(): void;
}

/** A connection on which bytes are sent as they are. */
export function openConnection({
  address,
  ca,
  hostname,
}: Pick<Exchange, 'address' | 'ca' | 'hostname'>): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const options = { host: address, port: 443, servername: hostname, ...trusting(ca), ALPNProtocols: ['http/1.1'] };
    const socket = connect(options, () => resolve(connectionOn(socket)));
    socket.on('error', reject);
  });
}

function connectionOn(socket: TLSSocket): Connection {
  let text = '';
  let look = () => {};
  socket.on('data', (part: Buffer) => {
    text += part.toString('latin1');
    look();
  });
  return {
    say: (sent, isWhole) =>
      new Promise((resolve, reject) => {
        text = '';
        const onClose = () => fail('closed');
        const end = () => {
          clearTimeout(timer);
          socket.off('close', onClose);
        };
        const fail = (what: string) => {
          end();
          reject(new Error(`${what} after ${JSON.stringify(text)}`));
        };
        const timer = setTimeout(() => fail('timeout'), 5_000);
        look = () => {
          if (!isWhole(text)) return;
          end();
          resolve(text);
        };
        socket.once('close', onClose);
        socket.write(Buffer.from(sent, 'latin1'));
      }),
    isOpen: () => !socket.destroyed && socket.writable,
    close: () => socket.destroy(),
  };
}
