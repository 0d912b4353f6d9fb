import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cachedFor, connectInCluster, missingIdentity } from '../../../src/kubernetes/connection.ts';

/** Who a Pod is, read from the files that are mounted into it. */

let folder: string;
const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'projectdomain-identity-'));
  writeFileSync(join(folder, 'ca.crt'), 'PEM');
  writeFileSync(join(folder, 'token'), 'first\n');
});

afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

describe('a Pod', () => {
  it.each([
    ['10.0.0.1', 'https://10.0.0.1:443'],
    ['fd00::1', 'https://[fd00::1]:443'],
  ])('at %s speaks to %s', async (host, server) => {
    const connection = await connectInCluster({ ...env, KUBERNETES_SERVICE_HOST: host }, folder);
    expect(connection.server).toBe(server);
    expect(String(connection.tls.ca)).toBe('PEM');
    expect(await connection.authorization()).toBe('Bearer first');
  });

  it('takes up a token that was renewed under it, within ten seconds', async () => {
    const elapsed = jest.spyOn(performance, 'now').mockReturnValue(0);
    const { authorization } = await connectInCluster(env, folder);
    await authorization();
    writeFileSync(join(folder, 'token'), 'second');
    elapsed.mockReturnValue(9_000);
    expect(await authorization()).toBe('Bearer first');
    elapsed.mockReturnValue(10_000);
    expect(await authorization()).toBe('Bearer second');
  });

  it('is told what is missing when this is none', async () => {
    await expect(connectInCluster({}, folder)).rejects.toThrow(/not running in a Pod.*set a kubeconfig/);
  });

  it.each(['ca.crt', 'token'])('knows that its %s is not there yet', (file) => {
    expect(missingIdentity(folder)).toBeNull();
    rmSync(join(folder, file));
    expect(missingIdentity(folder)).toBe(join(folder, file));
  });
});

describe('a header that is made by a program', () => {
  it('is made once for all that ask at the same time, and again after it failed', async () => {
    let made = 0;
    const header = cachedFor(60_000, async () => {
      made += 1;
      await new Promise((done) => setImmediate(done));
      if (made === 1) throw new Error('the program failed');
      return `made ${made}`;
    });
    const first = await Promise.allSettled([header(), header(), header()]);
    expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await Promise.all([header(), header()])).toEqual(['made 2', 'made 2']);
    expect(await header()).toBe('made 2');
  });
});
