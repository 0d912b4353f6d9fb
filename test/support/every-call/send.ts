import { request } from 'node:http';

export interface Sent {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends it on a connection of its own. Resolves with the status of the answer, 0 where there was none. Of a stream, which goes on for ever, the first bytes are enough. */
export const send = ({ body, ...options }: Sent): Promise<number> =>
  new Promise((done) => {
    const sent = request({ host: '127.0.0.1', agent: false, ...options }, (response) => {
      const isStream = (response.headers['content-type'] ?? '').startsWith('text/event-stream');
      response.once(isStream ? 'readable' : 'end', () => {
        response.destroy();
        done(response.statusCode ?? 0);
      });
      if (!isStream) response.resume();
    });
    sent.on('error', () => done(0)).end(body);
  });
