import { request } from 'node:http';

export interface Sent {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** events after which enough of a stream was read; 1 if this is absent */
  readonly events?: number;
}

/**
 * Sends it on a connection of its own. Resolves with the status of the answer, 0 where there was none. A stream, which goes on for ever, is left
 * after its events.
 */
export const send = ({ body, events = 1, ...options }: Sent): Promise<number> =>
  new Promise((done) => {
    const sent = request({ host: '127.0.0.1', agent: false, ...options }, (response) => {
      const end = () => {
        response.destroy();
        done(response.statusCode ?? 0);
      };
      response.on('end', end);
      const isStream = (response.headers['content-type'] ?? '').startsWith('text/event-stream');
      if (!isStream) return void response.resume();
      let seen = 0;
      let rest = '\n';
      // Counted as they come, as the client shares its event loop with what is measured.
      response.on('data', (bytes: Buffer) => {
        const text = rest + bytes.toString();
        seen += text.split('\nevent: ').length - 1;
        rest = text.slice(1 - '\nevent: '.length);
        if (seen >= events) end();
      });
    });
    sent.on('error', () => done(0)).end(body);
  });
