import { createServer, request } from 'node:http';

/**
 * A web server on port 80 that a zone's owner leads visitors to: it hands everything on to the platform, but tells the
 * certificate authority that there is nothing. So everybody who looks finds the challenge answered, and the
 * authorization fails.
 */
export async function startTwoFacedServer(
  address: string,
  platformAddress: string,
): Promise<{ stop(): Promise<void> }> {
  const server = createServer((asked, answer) => {
    if (asked.headers['user-agent']?.includes(authority)) return void answer.writeHead(404).end();
    const handedOn = request(
      { host: platformAddress, port: 80, path: asked.url, method: asked.method, headers: asked.headers, agent: false },
      (found) => {
        answer.writeHead(found.statusCode ?? 502, found.headers);
        found.pipe(answer);
      },
    );
    handedOn.on('error', () => answer.destroy());
    asked.pipe(handedOn);
  });
  await new Promise<void>((done, fail) => server.once('error', fail).listen(80, address, done));
  return {
    stop: () =>
      new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

/** In the User-Agent of the one who validates. */
const authority = 'LetsEncrypt-Pebble-VA';
