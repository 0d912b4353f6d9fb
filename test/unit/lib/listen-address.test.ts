import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { ListenAddress } from '../../../src/lib/http-server.ts';
import { listen, parseListenAddress } from '../../../src/lib/http-server.ts';
import { readRedirectorConfig } from '../../../src/redirector/config.ts';

/** Where a process listens, in clusters of either family and of both. */

describe('a listen address', () => {
  it.each<[string, ListenAddress | null, string]>([
    [':8080', { port: 8080 }, 'every address of both families'],
    ['0.0.0.0:8080', { host: '0.0.0.0', port: 8080 }, 'every address of IPv4'],
    ['[::]:8080', { host: '::', port: 8080 }, 'every address, IPv6 first'],
    ['[::1]:0', { host: '::1', port: 0 }, 'any port'],
    ['[fe80::1%eth0]:80', { host: 'fe80::1%eth0', port: 80 }, 'a zone'],
    ['localhost:80', { host: 'localhost', port: 80 }, 'a name'],
    ['::1:8080', null, 'without brackets it cannot be told where the port begins'],
    ['[::1]', null, 'no port'],
    ['8080', null, 'no colon'],
    [':65536', null, 'there is no such port'],
    [':-1', null, 'there is no such port'],
    ['[]:80', null, 'no address'],
    ['http://a:80', null, 'a URL'],
  ])('%s is %j: %s', (text, wanted) => {
    expect(parseListenAddress(text)).toEqual(wanted);
  });

  it('that is wrong in a configuration is told with what would be right', () => {
    const dir = mkdtempSync(join(tmpdir(), 'projectdomain-config-'));
    const path = join(dir, 'config.json');
    const config = { kubeconfig: null, listen: '::1:8080', metricsAddress: ':9404', lingerMs: 1 };
    try {
      writeFileSync(path, JSON.stringify(config));
      expect(() => readRedirectorConfig(path)).toThrow(
        'listen is not valid: expected ADDR:PORT, [ADDR6]:PORT, or :PORT',
      );
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});

describe('a server', () => {
  it('that cannot listen says so, and one that listens does not hide what fails later', async () => {
    const [first, second] = [createServer(), createServer()];
    try {
      await listen(first, '127.0.0.1:0');
      const { port } = first.address() as AddressInfo;
      await expect(listen(second, `127.0.0.1:${port}`)).rejects.toThrow('EADDRINUSE');
      expect(() => first.emit('error', new Error('accept failed'))).toThrow('accept failed');
    } finally {
      first.close();
    }
  });
});
