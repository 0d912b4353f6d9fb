import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { socketLimits } from '../../../src/lib/bounded-server.ts';
import type { TestRedirector } from '../../support/redirector.ts';
import { startTestRedirector, victim } from '../../support/redirector.ts';

/**
 * Connections are opened and held, without a request or after one, until there is no memory left for anybody's. There is a
 * bound to them, and what ends at the bound is what rested for longest: an ingress that uses its own is not noticed.
 */

let redirector: TestRedirector;
const held: Socket[] = [];
const connectionsAtMost = socketLimits.connections;
const excess = 500;
/** Each holds less than what is unusual for one: what one may add a second is bounded otherwise. */
const addresses = 20;

beforeAll(async () => {
  redirector = await startTestRedirector();
});

afterAll(async () => {
  for (const socket of held) socket.destroy();
  await redirector.stop();
});

const request = `GET / HTTP/1.1\r\nHost: ${victim}\r\n\r\n`;

async function answerOver(socket: Socket): Promise<string> {
  socket.write(request);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString('latin1');
}

const connections = () =>
  new Promise<number>((done, fail) =>
    redirector.server.getConnections((error, count) => (error ? fail(error) : done(count))),
  );

describe('somebody who opens connections and holds them', () => {
  it('ends the oldest of them, and neither the one that an ingress uses nor a new one', async () => {
    expect(connectionsAtMost).toBe(5_000);
    const ingress = redirector.open();
    expect(await answerOver(ingress)).toMatch(/^HTTP\/1\.1 301 /);
    for (let opened = 0; opened < connectionsAtMost + excess; opened += 1) {
      const socket = redirector.open(`127.0.9.${1 + (opened % addresses)}`);
      held.push(socket);
      if (opened % 2 === 0) socket.write(request);
      socket.resume();
      if (opened % 250 === 0) expect(await answerOver(ingress)).toMatch(/^HTTP\/1\.1 301 /);
    }
    await eventually('all were taken', 30_000, async () => {
      expectThat(held.filter(({ closed }) => closed).length >= excess, `${await connections()} are open`);
    });
    expect(await connections()).toBeLessThanOrEqual(connectionsAtMost);
    expect(await answerOver(ingress)).toMatch(/^HTTP\/1\.1 301 /);
    const newcomer = redirector.open();
    expect(await answerOver(newcomer)).toMatch(/^HTTP\/1\.1 301 /);
    ingress.destroy();
    newcomer.destroy();
  }, 90_000);
});
