import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, Server } from 'node:http';
import { createServer } from 'node:http';

/** A request as it came to a project. */
export interface Echo {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** of the body */
  readonly length: number;
  readonly sha256: string;
}

/** A project that answers with what it was asked. */
export const createEchoServer = (): Server =>
  // What an edge adds has room beside what a visitor sends.
  createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    const hash = createHash('sha256');
    let length = 0;
    request.on('data', (part: Buffer) => {
      hash.update(part);
      length += part.length;
    });
    request.on('end', () => {
      const { method = '', url: target = '', headers } = request;
      const echo: Echo = { method, target, headers, length, sha256: hash.digest('hex') };
      const text = JSON.stringify(echo);
      response.writeHead(200, { 'content-type': 'application/json', 'x-method': method });
      response.end(method === 'HEAD' ? undefined : text);
    });
  });

export const echoOf = (body: Buffer): Echo => JSON.parse(body.toString()) as Echo;
