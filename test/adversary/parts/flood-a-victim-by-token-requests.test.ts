import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressRule } from '../../../src/dns/lookup/address-safety.ts';
import { createTokenLimits, tokenShares } from '../../../src/routing/token-probe/token-limits.ts';
import { createTokenProbe } from '../../../src/routing/token-probe/token-probe.ts';
import type { EdgeServer } from '../../support/edge-server.ts';
import { startEdgeServer } from '../../support/edge-server.ts';

/**
 * Accounts with thousands of domains lead all of them to a web server of somebody else's, so that the operator asks it for
 * their tokens again and again. The server is real; the clock of the limits stands still, which is the worst second.
 */

let victim: EdgeServer;
let bystander: EdgeServer;

beforeAll(async () => {
  victim = await startEdgeServer((_, __, response) => response.writeHead(404).end());
  bystander = await startEdgeServer((_, __, response) => response.writeHead(404).end(), '127.0.0.2');
});

afterAll(async () => {
  await victim.stop();
  await bystander.stop();
});

const token = { nonce: 'nonce', answer: 'answer' };
const signal = new AbortController().signal;

describe('ten thousand domains that lead to one server', () => {
  it('send it no more requests at once than one of its own visitors might, and none of them is a no', async () => {
    const limits = createTokenLimits(
      () => false,
      () => 0,
    );
    const probeAt = ({ ports }: EdgeServer) =>
      createTokenProbe({ isAllowed: addressRule(['127.0.0.0/8']), limits, platformDomain: 'apps.example.net', ports });
    const answers = await Promise.all(
      Array.from({ length: 10_000 }, (_, index) =>
        probeAt(victim).ask(
          { hostname: `d${index}.example`, token, addresses: [victim.address], payer: `account${index % 100}` },
          signal,
        ),
      ),
    );
    expect(victim.connections()).toBeLessThanOrEqual(tokenShares.address.burst);
    const others = answers.filter((answer) => answer[victim.address] !== 'busy');
    expect(others).toHaveLength(victim.connections());
    const honest = { hostname: 'honest.example', token, addresses: [bystander.address], payer: 'honest' };
    expect(await probeAt(bystander).ask(honest, signal)).toEqual({ [bystander.address]: 'other' });
  }, 60_000);
});
