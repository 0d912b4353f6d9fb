import { expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { serveUntil } from '../../../src/lib/http-server.ts';

/** Sends a request on each of so many connections, then creates a file, and prints what became of each. */
const clientProgram = `
  const { writeFileSync } = require('node:fs');
  const { connect } = require('node:net');
  const [port, connections, connected] = process.argv.slice(1);
  const request = 'GET / HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n';
  let sent = 0;
  for (let n = 0; n < connections; n += 1) {
    const socket = connect(port, '127.0.0.1', () => socket.write(request, () => {
      sent += 1;
      if (sent === Number(connections)) writeFileSync(connected, '');
    }));
    socket.once('data', (bytes) => console.log(bytes.toString('latin1').slice(0, 12)));
    socket.on('error', ({ code }) => console.log(code));
  }`;

/** Holds the event loop, as a long garbage collection does. */
function busyUntil(isOver: () => boolean): void {
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (!isOver()) Atomics.wait(never, 0, 0, 10);
}

it.each([1, 40])(
  '%i clients that connected while the process was busy are answered by a server that stops: would fail if the listening socket closed before its accept queue was empty',
  async (connections) => {
    const dir = mkdtempSync(join(tmpdir(), 'projectdomain-backlog-'));
    try {
      const server = createServer((_, response) => response.end('heard'));
      const stop = await serveUntil(server, '127.0.0.1:0');
      const { port } = server.address() as AddressInfo;
      const connected = join(dir, 'connected');
      const client = spawn(process.execPath, ['-e', clientProgram, `${port}`, `${connections}`, connected]);
      const printed = text(client.stdout);
      busyUntil(() => existsSync(connected));
      await stop();
      expect((await printed).trim().split('\n')).toEqual(Array<string>(connections).fill('HTTP/1.1 200'));
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
);
