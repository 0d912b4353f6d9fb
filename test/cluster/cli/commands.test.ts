import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { keyIdOf } from '../../../src/rules/api-key-format.ts';
import type { ApiKey } from '../../../src/generated/api-key.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { verifyAnnotation } from '../../../src/resources/object-metadata.ts';
import type { SharedControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, sharedControlPlane } from '../../support/control-plane.ts';
import { fromNow } from '../../support/from-now.ts';
import type { Ran, Running } from './command-line.ts';
import { start } from './command-line.ts';

/** Each command as a process against the real API server; the operator's part, the status, is written by kubectl. */

let controlPlane: SharedControlPlane;
let kubeconfig: string;

const apiVersion = 'projectdomain.io/v1alpha1';
const namespace = 'acme';

beforeAll(async () => {
  controlPlane = await sharedControlPlane();
  kubeconfig = controlPlane.kubeconfigFor({ commonName: 'cli', organizations: ['system:masters'] });
  await controlPlane.kubectl.run(['create', 'namespace', namespace]);
  await controlPlane.kubectl.run(['create', 'namespace', 'empty']);
  await controlPlane.kubectl.apply({
    apiVersion,
    kind: 'Account',
    metadata: { name: 'acme' },
    spec: { plan: 'pro' },
  });
}, controlPlaneDeadlineMs);

afterAll(() => controlPlane.stop(), controlPlaneDeadlineMs);

const started = (...args: readonly string[]): Running => start([...args, '--kubeconfig', kubeconfig]);
const cli = (...args: readonly string[]): Promise<Ran> => started(...args).ended;
const inAcme = (...args: readonly string[]): Promise<Ran> => cli(...args, '-n', namespace);

type Status = NonNullable<ProjectDomain['status']>;
type Found = Pick<Status, 'issues' | 'check' | 'records' | 'certificate'>;

const condition = (type: string, status: 'True' | 'False' | 'Unknown', reason: string, message: string) => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

/** A status as the operator writes it; both proofs have the same answer here. */
function status(state: Status['state'], proven: 'True' | 'False' | 'Unknown', more: Found = {}): object {
  const ready = condition(
    'Ready',
    state === 'Live' ? 'True' : 'False',
    `Because${state ?? ''}`,
    `it is ${state ?? ''}`,
  );
  const proofs = ['DNSVerified', 'OwnershipVerified'].map((type) => condition(type, proven, 'Some', 'some'));
  return { state, conditions: [ready, ...proofs], ...more };
}

const named = (name: string) => ({ apiVersion, kind: 'ProjectDomain', metadata: { name, namespace } });

const setStatus = (name: string, to: object) =>
  controlPlane.kubectl.applyAs({ ...named(name), status: to }, { subresource: 'status' });

/** A domain of its own for each test. */
async function domain(name: string, first?: object): Promise<string> {
  const hostname = `${name}.example.com`;
  await controlPlane.kubectl.apply({ ...named(name), spec: { project: 'shop', hostname } });
  if (first) await setStatus(name, first);
  return hostname;
}

const seen = (name: string) => controlPlane.kubectl.get<ProjectDomain>('projectdomain', name, namespace);

const issues = [
  { code: 'ForeignAddress', message: 'it leads elsewhere', record: 'x. 60 IN A 192.0.2.1', fix: 'delete the record' },
];
const records = [
  { purpose: 'Routing', type: 'CNAME', name: 'www', fqdn: 'www.example.com', value: 'p-1.cname.test', ttl: 3600 },
] as const;

const parsed = ({ out }: Ran) => JSON.parse(out) as Record<string, unknown>;

/** Waits until the command has asked for a check, and gives the time it wrote. */
async function request(name: string): Promise<string> {
  return eventually('the annotation', 20_000, async () => {
    const asked = (await seen(name))?.metadata.annotations?.[verifyAnnotation];
    expectThat(asked !== undefined, 'there is none');
    return asked;
  });
}

const told = (running: Running, part: string) =>
  eventually(`'${part}' on stderr`, 20_000, () => {
    expectThat(running.err().includes(part), running.err());
    return Promise.resolve();
  });

describe('records', () => {
  it('shows what to create, what is found instead and what to do about it', async () => {
    const hostname = await domain('r1', status('Unverified', 'False', { records, issues }));
    const ran = await inAcme('records', hostname);
    expect(ran).toMatchObject({ status: 0, err: '' });
    expect(ran.out).toContain(`${hostname}: Unverified (BecauseUnverified)\n  it is Unverified\n`);
    expect(ran.out).toMatch(/^TYPE +NAME +VALUE +TTL +IN DNS\nCNAME +www +p-1\.cname\.test +3600 +Unknown$/m);
    expect(ran.out).toContain('  found: x. 60 IN A 192.0.2.1\n  to do: delete the record');
  });

  it('takes the name of the object too, and answers with one JSON object', async () => {
    const hostname = await domain('r2', status('Unverified', 'False', { records, issues }));
    const ran = await inAcme('records', 'r2', '--json');
    expect(ran).toMatchObject({ status: 0, err: '' });
    expect(parsed(ran)).toMatchObject({ hostname, state: 'Unverified', records, issues, certificate: null });
  });

  it('ends with 1 before the operator has looked', async () => {
    const ran = await inAcme('records', await domain('r3'));
    expect(ran.status).toBe(1);
    expect(ran.out).toContain('There are no records to create yet');
  });

  it('gives the nearest names for one that is not there', async () => {
    await domain('r4');
    const ran = await inAcme('records', 'r4.exmaple.com');
    expect(ran).toMatchObject({ status: 1, out: '' });
    expect(ran.err).toMatch(
      /^there is no domain r4\.exmaple\.com in namespace acme\. Did you mean .*r4\.example\.com.*\n$/,
    );
  });

  it('says where to look when the namespace is empty', async () => {
    const ran = await cli('records', 'www.example.com', '-n', 'empty');
    expect(ran).toMatchObject({ status: 1, out: '' });
    expect(ran.err).toContain('namespace empty has none');
  });
});

describe('verify', () => {
  it('asks for a check, under a field manager of its own', async () => {
    const before = fromNow(0);
    const ran = await inAcme('verify', await domain('v1', status('Unverified', 'False')));
    expect(ran).toEqual({ status: 0, out: 'v1.example.com: DNS check requested\n', err: '' });
    const askedAt = Date.parse(await request('v1'));
    expect([askedAt >= before, askedAt <= fromNow(0)]).toEqual([true, true]);
    const managers = await controlPlane.kubectl.run([
      ...['get', 'projectdomain', 'v1', '-n', namespace, '--show-managed-fields'],
      '-o=jsonpath={range .metadata.managedFields[*]}{.manager} {.operation}{"\\n"}{end}',
    ]);
    expect(managers).toContain('projectdomain-cli Apply');
  });

  it.each<[string, string, Status['state'], 'True' | 'False' | 'Unknown', number]>([
    ['ends with 0 when DNS is set up correctly', 'v2', 'Verified', 'True', 0],
    ['ends with 1 when DNS is wrong', 'v3', 'Unverified', 'False', 1],
    ['ends with 2 when the check could not tell', 'v4', 'Unverified', 'Unknown', 2],
  ])('--wait %s', async (_, name, state, proven, expected) => {
    await domain(name, status('Unverified', 'False'));
    const running = started('verify', name, '--wait', '-n', namespace);
    const verifySeen = await request(name);
    await setStatus(name, status(state, proven, { check: { verifySeen }, issues }));
    const ran = await running.ended;
    expect(ran).toMatchObject({ status: expected, err: '' });
    expect(ran.out).toContain(`${name}.example.com: ${state ?? ''} (Because${state ?? ''})`);
    expect(ran.out).toContain('to do: delete the record');
  });

  it('--wait is not deceived by a status that is about an earlier request', async () => {
    await domain('v5', status('Unverified', 'False'));
    const running = started('verify', 'v5', '--wait=6s', '--json', '-n', namespace);
    await request('v5');
    await setStatus('v5', status('Unverified', 'False', { check: { verifySeen: '2026-01-01T00:00:00Z' } }));
    expect(parsed(await running.ended)).toMatchObject({ outcome: 'late' });
  });

  it('--wait ends with 1 in time when nobody answers, before one that began earlier and has more time', async () => {
    await domain('v9', status('Unverified', 'False'));
    const patient = started('verify', 'v9', '--wait=300s', '-n', namespace);
    await request('v9');
    const ran = await inAcme('verify', await domain('v6', status('Unverified', 'False', { issues })), '--wait=1s');
    expect(ran).toMatchObject({ status: 1, out: '' });
    expect(ran.err).toContain('did not finish within 1s; make sure that the operator is running');
    expect(ran.err).toContain('to do: delete the record');
    await controlPlane.kubectl.run(['delete', 'projectdomain', 'v9', '-n', namespace]);
    expect(await patient.ended).toMatchObject({
      status: 1,
      err: expect.stringContaining('was removed in the meantime'),
    });
  });

  it('--wait ends with 1 when the domain is removed', async () => {
    await domain('v7', status('Unverified', 'False'));
    const running = started('verify', 'v7', '--wait', '--json', '-n', namespace);
    await request('v7');
    await controlPlane.kubectl.run(['delete', 'projectdomain', 'v7', '-n', namespace]);
    const ran = await running.ended;
    expect(ran.status).toBe(1);
    expect(parsed(ran)).toMatchObject({ outcome: 'removed', name: 'v7' });
  });

  it('does not ask for what is Pending, and says why it is', async () => {
    const ran = await inAcme('verify', await domain('v8', status('Pending', 'Unknown')), '--wait');
    expect(ran).toMatchObject({ status: 1, out: '' });
    expect(ran.err).toContain('BecausePending');
    expect((await seen('v8'))?.metadata.annotations?.[verifyAnnotation]).toBeUndefined();
  });
});

describe('wait', () => {
  it('prints each change once and ends when the state is reached', async () => {
    await domain('w1', status('Unverified', 'False'));
    const running = started('wait', 'w1.example.com', '--for=Live', '-n', namespace);
    await told(running, 'Unverified');
    await setStatus('w1', status('Unverified', 'False', { issues }));
    await setStatus('w1', status('Verified', 'True'));
    await told(running, 'Verified (BecauseVerified)');
    await setStatus('w1', status('Live', 'True'));
    const ran = await running.ended;
    expect(ran).toMatchObject({ status: 0, out: 'w1.example.com is Live\n' });
    expect(ran.err.trim().split('\n')).toEqual([
      'w1.example.com: Unverified (BecauseUnverified): it is Unverified',
      'w1.example.com: Verified (BecauseVerified): it is Verified',
      'w1.example.com: Live (BecauseLive): it is Live',
    ]);
  });

  it.each([
    ['a state that is there already', 'Live', 'Live', 0],
    ['Verified while it is served', 'Verified', 'Live', 0],
    ['Live while it is only verified, looking once', 'Live', 'Verified', 1],
  ] as const)('for %s ends at once', async (_, wanted, state, expected) => {
    const name = `w-${wanted}-${state}`.toLowerCase();
    await domain(name, status(state, 'True'));
    const ran = await inAcme('wait', name, `--for=${wanted}`, '--timeout=0s', '--json');
    expect(ran.status).toBe(expected);
    expect(parsed(ran)).toMatchObject({ outcome: expected === 0 ? 'reached' : 'late', state });
  });

  it('says why and what to do when it is not reached in time', async () => {
    await domain('w2', status('Unverified', 'False', { issues }));
    const ran = await inAcme('wait', 'w2', '--for=live', '--timeout=1s');
    expect(ran).toMatchObject({ status: 1, out: '' });
    expect(ran.err).toContain('w2.example.com is not Live after 1s but Unverified (BecauseUnverified)');
    expect(ran.err).toContain('to do: delete the record');
  });

  it('ends when the domain is removed, and is not consoled by a new one of that name', async () => {
    await domain('w3', status('Unverified', 'False'));
    const running = started('wait', 'w3', '--for=Live', '-n', namespace);
    await told(running, 'Unverified');
    await controlPlane.kubectl.run(['delete', 'projectdomain', 'w3', '-n', namespace]);
    await domain('w3', status('Live', 'True'));
    const ran = await running.ended;
    expect(ran).toMatchObject({ status: 1, out: '' });
    expect(ran.err).toContain('w3.example.com was removed before it was Live');
  });
});

describe('list', () => {
  it('shows one namespace, or all with -A', async () => {
    const certificate = { notAfter: '2026-04-01T00:00:00Z' };
    await domain('l1', status('Live', 'True', { certificate }));
    const one = await inAcme('list');
    expect(one).toMatchObject({ status: 0, err: '' });
    expect(one.out).toMatch(/^HOSTNAME +STATE +REASON +ROLE +PROJECT +CERTIFICATE EXPIRES\n/);
    expect(one.out).toMatch(/^l1\.example\.com +Live +BecauseLive +primary +shop +2026-04-01T00:00:00Z$/m);
    expect((await cli('list', '-A')).out).toMatch(/^acme +l1\.example\.com +Live /m);
    const items = parsed(await cli('list', '-A', '--json')).items as readonly { readonly name: string }[];
    expect(items.find(({ name }) => name === 'l1')).toMatchObject({ namespace, state: 'Live', certificate });
  });

  it('ends with 0 and says so when there are none', async () => {
    const none = { status: 0, out: '', err: 'There are no domains in namespace empty.\n' };
    expect(await cli('list', '-n', 'empty')).toEqual(none);
  });
});

describe('keys', () => {
  const keyOf = (name: string) => controlPlane.kubectl.get<ApiKey>('apikey', name);

  it('are made, listed without anything that opens, and deleted by id', async () => {
    const name = '--display-name=deploy script';
    const made = await cli('keys', 'create', '--account', 'acme', '--scopes', 'domains:read,domains:read', name);
    expect(made).toMatchObject({ status: 0, err: '' });
    const key = made.out.trim();
    const id = keyIdOf(key);
    if (id === null) throw new Error('what was printed is no key');
    const kept = await keyOf(`key-${id}`);
    expect(kept?.spec).toMatchObject({
      account: 'acme',
      scopes: ['domains:read'],
      keyId: id,
      displayName: 'deploy script',
    });

    const listed = await cli('keys', 'list');
    expect(listed.out).toMatch(/^ID +NAME +DISPLAY NAME +ACCOUNT +SCOPES +EXPIRES +LAST USED +BANNED UNTIL\n/);
    expect(listed.out).toMatch(
      new RegExp(`^${id} +key-${id} +deploy script +acme +domains:read +never +never +-$`, 'm'),
    );
    const asJson = await cli('keys', 'list', '--account=acme', '--json');
    for (const { out, err } of [listed, asJson]) {
      expect(out + err).not.toContain(key);
      expect(out + err).not.toContain(kept?.spec.sha256);
    }
    expect(parsed(await cli('keys', 'list', '--account=other', '--json'))).toEqual({ items: [] });

    const deleted = await cli('keys', 'delete', id);
    expect(deleted).toEqual({ status: 0, out: `key key-${id} of account acme is deleted\n`, err: '' });
    expect(await keyOf(`key-${id}`)).toBeNull();
  });

  it('are deleted by the key itself, which is not repeated', async () => {
    const { id, key } = parsed(await cli('keys', 'create', '--account=acme', '--json')) as { id: string; key: string };
    const deleted = await cli('keys', 'delete', key, '--json');
    expect(deleted).toMatchObject({ status: 0, err: '' });
    expect(parsed(deleted)).toEqual({ id, name: `key-${id}`, account: 'acme' });
    const again = await cli('keys', 'delete', key);
    expect(again).toMatchObject({ status: 1, out: '' });
    expect(again.err).toContain(`there is no key ${id}`);
    expect(again.err).not.toContain(key);
  });

  it('are not made for an account that is not there', async () => {
    const ran = await cli('keys', 'create', '--account', 'amce');
    expect(ran).toEqual({
      status: 1,
      out: '',
      err: 'there is no Account amce; create it first. Did you mean acme?\n',
    });
  });
});

describe('quota', () => {
  const wide = () => controlPlane.kubectl.run(['get', 'apikeys', '-o', 'wide']);
  const rateLimit = { requestsPerMinute: 300, requestsPerDay: 10_000 };

  beforeAll(async () => {
    const plan = {
      rateLimit,
      customDomains: { enabled: true, maxPerProject: 50 },
      maximum: { projects: 20, domains: 1_000, apiKeys: 20 },
    };
    await controlPlane.kubectl.apply({ apiVersion, kind: 'Plan', metadata: { name: 'pro' }, spec: plan });
    for (const name of ['calm', 'hasty']) {
      const spec = { account: 'acme', scopes: ['domains:read'] };
      await controlPlane.kubectl.apply({ apiVersion, kind: 'ApiKey', metadata: { name }, spec });
    }
    const until = '2099-01-01T00:05:00Z';
    const found = {
      lastUsedAt: '2026-01-01T00:00:00Z',
      bannedUntil: until,
      bans: [{ from: '2099-01-01T00:00:00Z', until, step: 2 }],
      limited: { at: '2026-01-01T00:00:00Z', window: 'day' },
    };
    const hasty = { apiVersion, kind: 'ApiKey', metadata: { name: 'hasty' }, status: found };
    await controlPlane.kubectl.run(
      ['apply', '--server-side', '--subresource=status', '--field-manager=projectdomain-api', '-f', '-'],
      JSON.stringify(hasty),
    );
  });

  it('says who is limited, who is banned, and why', async () => {
    const ran = await cli('quota', 'acme');
    expect(ran).toMatchObject({ status: 0, err: '' });
    expect(ran.out).toContain('Account acme, plan pro: 300 requests a minute and 10000 a day');
    expect(ran.out).toMatch(
      /^acme +hasty +- +2026-01-01T00:00:00Z +2026-01-01T00:00:00Z +day +2099-01-01T00:05:00Z +1$/m,
    );
    expect(ran.out).toMatch(/^acme +calm +- +never +never +- +- +0$/m);
    expect(ran.out).toContain('Key hasty is banned until 2099-01-01T00:05:00Z, step 2 of 5');
    expect(await wide()).toMatch(/^hasty .*2099-01-01T00:05:00Z +2 +\S+ +day /m);
  });

  it('shows whoever is banned where no account is given, and JSON for programs', async () => {
    const ran = await cli('quota', '--json');
    expect(ran.status).toBe(0);
    expect(parsed(ran)).toMatchObject({
      limits: null,
      keys: [{ name: 'hasty', account: 'acme', bannedUntil: '2099-01-01T00:05:00Z' }],
    });
    expect(parsed(await cli('quota', 'acme', '--json')).limits).toEqual({ account: 'acme', plan: 'pro', ...rateLimit });
  });

  it('ends with 1 for an account that is not there', async () => {
    expect(await cli('quota', 'amce')).toEqual({
      status: 1,
      out: '',
      err: 'there is no Account amce. Did you mean acme?\n',
    });
  });
});
