import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { serveUntil } from '../../../src/lib/http-server.ts';
import { holdLoopUntil } from '../../support/hold-loop.ts';

/** Sends a request on each of so many connections, then creates a file, and prints what became of each. */
const clientProgram = `
  const { writeFileSync } = require('node:fs');
  const { connect } = require('node:net');
  const [port, connections, allSent] = process.argv.slice(1);
  const request = 'GET / HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n';
  let sent = 0;
  for (let n = 0; n < connections; n += 1) {
    const socket = connect(port, '127.0.0.1', () => socket.write(request, () => {
      sent += 1;
      if (sent === Number(connections)) writeFileSync(allSent, '');
    }));
    socket.once('data', (bytes) => console.log(bytes.toString('latin1').slice(0, 12)));
    socket.on('error', ({ code }) => console.log(code));
  }`;

interface Clients {
  /** Resolves with what became of each connection. */
  readonly outcomes: Promise<readonly string[]>;
  /** All of them have sent their request. */
  readonly haveSent: () => boolean;
}

function startClients(port: number, connections: number): Clients {
  const sent = join(dir, 'sent');
  const client = spawn(process.execPath, ['-e', clientProgram, `${port}`, `${connections}`, sent]);
  return {
    outcomes: text(client.stdout).then((printed) => printed.trim().split('\n')),
    haveSent: () => existsSync(sent),
  };
}

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'projectdomain-backlog-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

it.each([1, 40])(
  '%i clients that connected while the process was busy are answered by a server that stops: would fail if the listening socket closed before its accept queue was empty',
  async (connections) => {
    const server = createServer((_, response) => response.end('heard'));
    const stop = await serveUntil(server, '127.0.0.1:0');
    const { port } = server.address() as AddressInfo;
    const { outcomes, haveSent } = startClients(port, connections);
    holdLoopUntil(haveSent);
    await stop();
    expect(await outcomes).toEqual(Array<string>(connections).fill('HTTP/1.1 200'));
  },
);

it('a client that connected while idle connections were closed is answered: would fail if close() had idle connections left to close between the last look at the accept queue and the end of the listening socket', async () => {
  const server = createServer((_, response) => response.end('heard'));
  const stop = await serveUntil(server, '127.0.0.1:0');
  const { port } = server.address() as AddressInfo;
  const closeIdle = jest.spyOn(server, 'closeIdleConnections');
  const late = new Promise<Clients>((done) => {
    closeIdle.mockImplementationOnce(() => {
      const clients = startClients(port, 1);
      holdLoopUntil(clients.haveSent);
      done(clients);
    });
  });
  await stop();
  const { outcomes } = await late;
  expect(await outcomes).toEqual(['HTTP/1.1 200']);
});
