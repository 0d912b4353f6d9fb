import { get } from 'node:http';
import { connect } from 'node:tls';
import type { Ask } from '../../dev/lib/https.ts';

/** What visitors of a hostname see below what askHttps shows: over http, byte for byte, and the certificate. */

export interface HttpAnswer {
  readonly status: number;
  readonly location: string | undefined;
  readonly body: string;
}

/** One request over http, whose redirect is not followed. */
export function askHttp({
  address,
  hostname,
  path,
}: Record<'address' | 'hostname' | 'path', string>): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const question = { host: address, port: 80, path, headers: { host: hostname }, agent: false, timeout: 5_000 };
    const asked = get(question, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, location: response.headers.location, body }),
      );
    });
    asked.on('timeout', () => asked.destroy(new Error('timeout'))).on('error', reject);
  });
}

type TlsAsk = Pick<Ask, 'address' | 'ca' | 'hostname'>;

/** The Location of each request target, asked one after the other on one connection, byte for byte. */
export function locations({ address: host, ca, hostname }: TlsAsk, targets: readonly string[]) {
  return new Promise<readonly (string | undefined)[]>((resolve, reject) => {
    const socket = connect({ host, port: 443, servername: hostname, ca });
    const requests = targets.map((target, index) => {
      const close = index === targets.length - 1 ? 'Connection: close\r\n' : '';
      return `GET ${target} HTTP/1.1\r\nHost: ${hostname}\r\n${close}\r\n`;
    });
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.setTimeout(20_000, () => socket.destroy(new Error('timeout')));
    socket.on('error', reject);
    socket.on('close', () => {
      const answers = text.split(/(?=HTTP\/1\.1 \d)/);
      resolve(answers.map((answer) => /\r\nlocation: (.*?)\r\n/i.exec(answer)?.[1]));
    });
    socket.write(Buffer.from(requests.join(''), 'latin1'));
  });
}

/** Of the certificate that visitors get, whose chain is verified. */
export function serialNumber({ address: host, ca, hostname }: TlsAsk): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: 443, servername: hostname, ca }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.end();
    });
    socket.setTimeout(5_000, () => socket.destroy(new Error('timeout')));
    socket.on('error', reject);
  });
}
