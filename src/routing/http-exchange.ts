import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** What is asked of a hostname at one address; no name is resolved. */
export interface HttpQuestion {
  readonly scheme: 'http' | 'https';
  readonly address: string;
  readonly port: number;
  readonly hostname: string;
  /** path and query */
  readonly path: string;
  readonly userAgent: string;
}

/** Bytes of a body that are read. */
const bodyAtMost = 1_024;
/** Bytes of the header fields that are read. */
const headAtMost = 16_384;
/** Interim answers, such as 103 (Early Hints), that are waited through: a server may send them without end. */
const interimAtMost = 4;

export interface HttpReply {
  readonly status: number;
  /** of a redirect; null for every other answer */
  readonly location: string | null;
  /** of a 200; '' for every other answer */
  readonly body: string;
}

/** One request, over HTTPS without verifying the certificate; null when no answer came. Never rejects; `signal` must end it. */
export function exchange(question: HttpQuestion, signal: AbortSignal): Promise<HttpReply | null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve) => {
    const sent = send(question, signal);
    sent.on('response', (response) => void readReply(response).then(resolve, () => resolve(null)));
    let interim = 0;
    sent.on('information', () => {
      interim += 1;
      if (interim > interimAtMost) sent.destroy();
    });
    // A change of protocol is an answer, and none of ours.
    sent.on('upgrade', (_, socket) => {
      socket.destroy();
      resolve({ status: 101, location: null, body: '' });
    });
    sent.on('error', () => resolve(null));
    sent.on('close', () => resolve(null));
    sent.end();
  });
}

function send({ scheme, address, port, hostname, path, userAgent }: HttpQuestion, signal: AbortSignal): ClientRequest {
  const options: RequestOptions = {
    host: address,
    port,
    path,
    method: 'GET',
    headers: { host: hostname, 'user-agent': userAgent, accept: 'text/plain' },
    agent: false,
    maxHeaderSize: headAtMost,
    signal,
  };
  return scheme === 'http'
    ? httpRequest(options)
    : httpsRequest({ ...options, servername: hostname, rejectUnauthorized: false });
}

/** The body of a 200 alone is read, and no more of it than an answer of ours may have. Closes the connection. */
async function readReply(response: IncomingMessage): Promise<HttpReply> {
  const { statusCode: status = 0, headers } = response;
  const isRedirect = status >= 300 && status < 400;
  try {
    const body = status === 200 ? await readBody(response) : '';
    return { status, location: isRedirect ? locationOf(headers.location) : null, body };
  } finally {
    response.destroy();
  }
}

/** A longer one leads nowhere that is of interest, and is not read. */
const locationAtMost = 2_048;

const locationOf = (location: string | undefined): string | null =>
  location !== undefined && location.length <= locationAtMost ? location : null;

/** '' for a body that is too long. */
async function readBody(response: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > bodyAtMost) return '';
  }
  return Buffer.concat(chunks).toString();
}
