import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { run as backup } from '../../../src/cli/backup/backup-command.ts';
import { run as keys } from '../../../src/cli/keys/keys-command.ts';
import { run as list } from '../../../src/cli/list-command.ts';
import { run as migrate } from '../../../src/cli/migrate/migrate-command.ts';
import { run as probe } from '../../../src/cli/probe-command.ts';
import { run as quota } from '../../../src/cli/quota-command.ts';
import { run as records } from '../../../src/cli/records-command.ts';
import { printCertificate } from '../../../src/cli/revoke/revocation-report.ts';
import { run as revoke } from '../../../src/cli/revoke/revoke-command.ts';
import { tell } from '../../../src/cli/terminal-output.ts';
import { run as verify } from '../../../src/cli/verify-command.ts';
import { run as wait } from '../../../src/cli/wait-command.ts';
import { pages } from '../../../src/dashboard/page-table.ts';
import { observedConditions, no } from '../../../src/rules/conditions.ts';
import { handoverPath } from '../../../src/rules/handover-path.ts';
import { askRaw } from '../../browser/raw.ts';
import { agent, cookie, startDashboardOnStores } from '../../support/dashboard-on-stores.ts';
import type { DashboardOnStores } from '../../support/dashboard-on-stores.ts';
import { makeLink } from '../../support/handover.ts';
import { definitions, hostile, hostileObject, rawIn } from '../../support/hostile-text.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/**
 * A tenant, a zone, an authority or the kube-apiserver writes what a terminal obeys, or what turns or hides text, into any text of any of
 * our kinds. The command line, the dashboard, logs and conditions show it, and nothing of it as it is. The texts are those of the schemas,
 * as if they had come past the schemas' rules: a new field is among them, and so is an object that was stored before a rule.
 */

const variants = 6;
/** A condition that is shown, and a ban that is in force. */
const kept = { 'status.conditions[].type': 'Ready', 'status.bannedUntil': '2036-01-01T00:00:00Z' };
const nameOf = (kind: string, variant: number) =>
  kind === 'HostnameClaim' ? `www${variant}.example.com` : `hostile-${variant}`;

/** All that there is in the cluster, by the last part of a collection's path. */
const objects = Object.fromEntries(
  definitions.map(({ names: { kind, plural }, scope }) => [
    plural,
    Array.from({ length: variants }, (_, variant) => {
      const place = scope === 'Namespaced' ? { namespace: 'acme' } : {};
      return hostileObject({ kind, name: nameOf(kind, variant), ...place, variant, kept }).object;
    }),
  ]),
);

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Lists, single objects, and any write, which is answered with the object. */
function serve(refusal: () => string | null): Server {
  return createServer((request, response) => {
    request.resume().on('end', () => {
      const message = refusal();
      if (message !== null)
        return answer(response, 409, { kind: 'Status', status: 'Failure', reason: 'Conflict', message });
      const parts = new URL(request.url ?? '/', 'http://fake').pathname.split('/');
      const plural = Object.keys(objects).find((one) => parts.includes(one)) ?? '';
      const items = objects[plural] ?? [];
      const name = decodeURIComponent(parts[parts.indexOf(plural) + 1] ?? '');
      const metadata = { resourceVersion: '1' };
      if (name === '' || plural === '') return answer(response, 200, { kind: 'List', metadata, items });
      answer(response, 200, items.find((item) => item.metadata.name === name) ?? items[0] ?? {});
    });
  });
}

describe('on the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'projectdomain-hostile-'));
  const kubeconfig = join(folder, 'config');
  let refusal: string | null = null;
  const server = serve(() => refusal);
  let out = '';
  let told = '';

  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'c',
      clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'u', user: {} }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u', namespace: 'acme' } }],
    };
    writeFileSync(kubeconfig, JSON.stringify(config));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    out = told = '';
    refusal = null;
    jest.spyOn(console, 'log').mockImplementation((text: string) => void (out += `${text}\n`));
    jest.spyOn(console, 'error').mockImplementation((text: string) => void (told += `${text}\n`));
  });
  afterEach(() => void jest.restoreAllMocks());

  type Command = (args: readonly string[]) => number | Promise<number>;
  const here = ['--kubeconfig', kubeconfig];
  /** As the program does: what a command fails with is told. */
  const run = (command: Command, args: readonly string[]) =>
    Promise.resolve(command([...args, ...here])).catch((error: unknown) => tell(String(error)));

  const commands: readonly (readonly [name: string, command: Command, args: readonly string[]])[] = [
    ['list', list, ['-A']],
    ['list', list, []],
    ['records', records, ['hostile-0']],
    ['records', records, ['hostile-1']],
    ['verify', verify, ['hostile-0']],
    ['verify', verify, ['hostile-1']],
    ['wait', wait, ['hostile-1', '--for=Live', '--timeout=0s']],
    ['wait', wait, ['hostile-3', '--for=Live', '--timeout=0s']],
    ['migrate', migrate, ['-A', '--to', 'other']],
    ['keys', keys, ['list']],
    ['keys', keys, ['delete', 'hostile-0']],
    ['quota', quota, []],
  ];

  it.each(commands)('%s shows it and obeys nothing', async (_, command, args) => {
    await run(command, args);
    expect(out + told).toContain('Seen');
    expect(rawIn(out + told)).toEqual([]);
  });

  it.each([...commands, ['backup', backup, ['--without-secrets']] as const])(
    '%s gives it to programs as it is, escaped',
    async (name, command, args) => {
      await run(command, name === 'backup' ? args : [...args, '--json']);
      expect(rawIn(out + told)).toEqual([]);
      expect(textsOf(JSON.parse(out)).some((text) => text === hostile)).toBe(true);
    },
  );

  const revoking = ['revoke', revoke, ['www0.example.com', '--reason', 'superseded']] as const;
  it.each([...commands, revoking])('%s says in one line why the cluster refused it', async (_, command, args) => {
    refusal = hostile;
    await run(command, args);
    expect(told).toMatch(/^.*Seen.*Seen.*\n$/);
    expect(rawIn(told)).toEqual([]);
  });

  it('probe asks for hostnames that are none, and tells of them', async () => {
    await run(probe, ['-A', '--address', '127.0.0.1', '--port', '1']);
    expect(out + told).toContain('Seen');
    expect(rawIn(out + told)).toEqual([]);
  });

  it('each command that shows objects is among these', () => {
    const source = readFileSync(join(import.meta.dirname, '../../../src/cli/main.ts'), 'utf8');
    const all = [...source.matchAll(/^ {2}(\w+): (?:async )?\(\) => /gm)].map(([, name]) => name);
    // revoke shows what an authority said (below); check asks DNS (write-to-a-terminal-by-a-record); reference and openapi show what is ours.
    const others = ['revoke', 'probe', 'backup', 'check', 'reference', 'openapi'];
    expect(all.length).toBeGreaterThan(10);
    expect(new Set(all)).toEqual(new Set([...commands.map(([name]) => name), ...others]));
  });
});

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

describe('on pages and in logs', () => {
  let api: InMemoryApi;
  let dashboard: DashboardOnStores;
  let link: string;
  const hostnames = Array.from({ length: variants }, (_, variant) => `www${variant}.example.com`);

  beforeAll(async () => {
    api = createInMemoryApi();
    const key = api.account('acme', 'business');
    for (const [variant, hostname] of hostnames.entries()) {
      const spec = { 'spec.project': 'shop', 'spec.hostname': hostname };
      const { object } = hostileObject({
        kind: 'ProjectDomain',
        name: hostname,
        namespace: 'acme',
        variant,
        kept: { ...kept, ...spec },
      });
      api.put(object);
      const own = {
        'spec.account': 'acme',
        'spec.keyId': `abcdefgh${variant + 2}`,
        'spec.expiresAt': '2036-01-01T00:00:00Z',
      };
      api.put(hostileObject({ kind: 'ApiKey', name: `key-${variant}`, variant, kept: { ...kept, ...own } }).object);
      const name = `hostile-${variant}`;
      api.put(hostileObject({ kind: 'Project', name, namespace: 'acme', variant, kept }).object);
    }
    dashboard = await startDashboardOnStores(api);
    link = handoverPath((await makeLink(api, key, 'www0.example.com')).token);
  });
  afterAll(() => dashboard.stop());

  const open = (path: string, form?: string) =>
    askRaw(`${dashboard.url}${path}`, {
      headers: {
        cookie,
        'user-agent': agent,
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    });

  const paths = [
    ...new Set(pages.filter(({ method, name }) => method === 'get' && !/events/i.test(name)).map(({ path }) => path)),
  ];

  it.each(paths)('the page %s shows nothing of it as it is', async (path) => {
    for (const hostname of hostnames) {
      const filled = path
        .replace(':project', 'shop')
        .replace(':hostname', hostname)
        .replace(/:(?:link|key)/, 'abcdefgh');
      expect(filled).not.toContain(':');
      const { body, status } = await open(`/dashboard${filled}`);
      expect(status).toBeLessThan(500);
      expect(rawIn(body.replaceAll(/[\t\r]/g, ''))).toEqual([]);
    }
  });

  it.each([
    ['a domain', () => '/dashboard/projects/shop/domains/www1.example.com'],
    ['all domains', () => '/dashboard/projects/shop'],
    ['all keys', () => '/dashboard/keys'],
    ['a hand-over link', () => link],
  ])('the page of %s shows that it is there', async (_, path) => {
    const { body, status } = await open(path());
    expect(status).toBe(200);
    expect(rawIn(body.replaceAll(/[\t\r]/g, ''))).toEqual([]);
    expect(body).toContain('Seen?');
  });

  it('logs have nothing of it as it is, in fields, messages and errors', async () => {
    await open(`/dashboard/projects/${encodeURIComponent('\u202e\u009b')}`);
    const lines: string[] = [];
    const { createLog } = await import('../../../src/lib/log.ts');
    const log = createLog('info', { write: (line) => void lines.push(line) });
    log.within({ within: hostile }, () => log.warn({ field: hostile, [hostile]: 1, err: new Error(hostile) }, hostile));
    expect(lines).toHaveLength(1);
    expect(rawIn((await dashboard.told()) + lines.join(''))).toEqual([]);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      field: hostile,
      within: hostile,
      msg: hostile,
      err: { message: hostile },
    });
    expect(lines[0]?.match(/\n/g)).toHaveLength(1);
  });
});

describe('what an authority says of a revocation', () => {
  it('is shown on one line', () => {
    const printed = printCertificate({ serial: null, notAfter: null, result: 'Refused', message: hostile });
    expect(printed).toMatch(/Seen.*Seen$/);
    expect(rawIn(printed)).toEqual([]);
  });
});

describe('in conditions', () => {
  it('stands nothing of it as it is, and each is one line', () => {
    const { conditions } = observedConditions({ Ready: no('NotAnswering', hostile) }, undefined, {
      generation: 1,
      now: 0,
    });
    const [condition] = conditions;
    expect(condition?.message).toMatch(/^Seen.*Seen$/);
    expect(rawIn(condition?.message ?? '')).toEqual([]);
  });
});

/** Fails when the texts are fewer than the schemas have, or when what is looked for is not found where it is. */
describe('this test', () => {
  it('feeds every text of every kind', () => {
    const fields = definitions.flatMap(({ names: { kind } }) =>
      hostileObject({ kind, name: 'x', variant: 0 }).fields.map((field) => `${kind}.${field}`),
    );
    expect(fields.length).toBeGreaterThan(100);
    expect(fields).toEqual(
      expect.arrayContaining([
        'ProjectDomain.spec.project',
        'ProjectDomain.status.issues[].params{}',
        'ApiKey.spec.displayName',
      ]),
    );
  });

  it('finds what it looks for', () => {
    expect(rawIn(hostile)).toHaveLength(new Set(hostile.replaceAll(/Seen|\n|\]52;c;cm0=|31m/g, '')).size);
    expect(rawIn('plain “text”, bücher, 日本\n')).toEqual([]);
  });
});
