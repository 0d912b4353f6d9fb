import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Condition } from '../../../src/rules/conditions.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { TestControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, startTestControlPlane } from '../../support/control-plane.ts';

/** How objects of our kinds behave on the real API server: status apart, writers side by side, printed for people. */

let controlPlane: TestControlPlane;

beforeAll(async () => {
  controlPlane = await startTestControlPlane();
}, controlPlaneDeadlineMs);

afterAll(() => controlPlane.stop(), controlPlaneDeadlineMs);

const apiVersion = 'projectdomain.io/v1alpha1';
const namespace = 'default';
const hostname = 'www.example.com';
let count = 0;

const domain = (name: string, parts: object = {}) => ({
  apiVersion,
  kind: 'ProjectDomain',
  metadata: { name, namespace },
  ...parts,
});

const run = (args: readonly string[], object?: object) =>
  controlPlane.kubectl.run(object ? [...args, '-f', '-'] : args, object ? JSON.stringify(object) : '');

const seen = async (name: string): Promise<ProjectDomain> => {
  const found = await controlPlane.kubectl.get<ProjectDomain>('projectdomain', name, namespace);
  if (!found) throw new Error(`there is no ProjectDomain ${name}`);
  return found;
};

async function created(): Promise<string> {
  const name = `d${(count += 1)}`;
  await controlPlane.kubectl.create<unknown>(domain(name, { spec: { project: 'shop', hostname } }));
  return name;
}

const applyStatus = (manager: string, name: string, status: object) =>
  run(
    ['apply', '--server-side', '--subresource=status', '--force-conflicts', `--field-manager=${manager}`],
    domain(name, { status }),
  );

const condition = (type: string, status: Condition['status'], reason: string, message = 'why'): Condition => ({
  type,
  status,
  reason,
  message,
  observedGeneration: 1,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

describe('labels of a domain that a project declares', () => {
  it('stay where the API server wrote them, whatever the operator applies', async () => {
    const name = `labelled-${(count += 1)}`;
    const apply = (spec: object) =>
      run(
        ['apply', '--server-side', '--force-conflicts', '--field-manager=projectdomain-operator'],
        domain(name, { spec: { project: 'shop', hostname, ...spec } }),
      );
    await apply({ role: 'Redirect', redirect: { to: 'a.example.com', status: 301 } });
    const before = await seen(name);
    const labels = { customer: 'cus_123' };
    await controlPlane.kubectl.replace({ ...before, spec: { ...before.spec, labels } });
    await apply({ role: 'Redirect', redirect: { to: 'b.example.com', status: 301 } });
    expect((await seen(name)).spec).toMatchObject({ redirect: { to: 'b.example.com' }, labels });
  });
});

describe('status', () => {
  it('is not written along with the spec', async () => {
    const name = `d${(count += 1)}`;
    await run(['create'], domain(name, { spec: { project: 'shop', hostname }, status: { state: 'Live' } }));
    expect((await seen(name)).status).toEqual({ observedGeneration: -1 });
  });

  it('takes nothing of the spec along, and leaves the generation alone', async () => {
    const name = await created();
    const before = await seen(name);
    await run(['replace', '--subresource=status'], {
      ...before,
      spec: { ...before.spec, role: 'Redirect', redirect: { to: 'a.example.com' } },
      status: { state: 'Live' },
    });
    const after = await seen(name);
    expect(after.spec).toEqual(before.spec);
    expect(after.status).toEqual({ state: 'Live' });
    expect(after.metadata.generation).toBe(before.metadata.generation);
  });

  it('refuses a state that does not exist', async () => {
    await expect(applyStatus('operator', await created(), { state: 'Alive' })).rejects.toThrow('Unsupported value');
  });

  it('keeps the last fifty transitions and not one more', async () => {
    const name = await created();
    const timeline = (length: number) =>
      Array.from({ length }, () => ({ at: '2026-01-01T00:00:00Z', state: 'Live', reason: 'Ready', message: 'why' }));
    await applyStatus('operator', name, { timeline: timeline(50) });
    expect((await seen(name)).status?.timeline).toHaveLength(50);
    await expect(applyStatus('operator', name, { timeline: timeline(51) })).rejects.toThrow('at most 50 items');
  });

  it('keeps what a timeline tells besides states, and refuses a kind that nobody knows', async () => {
    const name = await created();
    const told = {
      ...{ at: '2026-01-01T00:00:00Z', state: 'Unverified', reason: 'Appeared', message: 'why' },
      ...{ kind: 'Finding', code: 'StrayAddress', severity: 'Error', params: { name: 'www.example.com' } },
    };
    await applyStatus('operator', name, { timeline: [told] });
    expect((await seen(name)).status?.timeline).toEqual([told]);
    await expect(applyStatus('operator', name, { timeline: [{ ...told, kind: 'Rumour' }] })).rejects.toThrow(
      'Unsupported value',
    );
    const long = { ...told, params: { name: 'x'.repeat(257) } };
    await expect(applyStatus('operator', name, { timeline: [long] })).rejects.toThrow('Too long');
  });
});

describe('two writers', () => {
  it('share the conditions by type: neither takes away what the other wrote', async () => {
    const name = await created();
    await applyStatus('one', name, { conditions: [condition('Accepted', 'True', 'Accepted')] });
    await applyStatus('two', name, { conditions: [condition('Routed', 'Unknown', 'Waiting')] });
    await applyStatus('one', name, { conditions: [condition('Accepted', 'False', 'NotDeployed')] });
    const { status } = await seen(name);
    expect(status?.conditions?.map(({ type, reason }) => [type, reason])).toEqual([
      ['Accepted', 'NotDeployed'],
      ['Routed', 'Waiting'],
    ]);
  });

  it('take back what they no longer write, and only that', async () => {
    const name = await created();
    await applyStatus('one', name, { conditions: [condition('Accepted', 'True', 'Accepted')] });
    await applyStatus('two', name, { conditions: [condition('Routed', 'True', 'Routed')] });
    await applyStatus('two', name, { conditions: [] });
    expect((await seen(name)).status?.conditions?.map(({ type }) => type)).toEqual(['Accepted']);
  });

  it('share the redirects of a project by hostname', async () => {
    const project = (redirects: readonly object[]) => ({
      apiVersion,
      kind: 'Project',
      metadata: { name: 'shared', namespace },
      spec: { service: { name: 'web', port: 80 }, domains: { primary: hostname, redirects } },
    });
    const apply = (manager: string, from: string) =>
      run(['apply', '--server-side', `--field-manager=${manager}`], project([{ from }]));
    await apply('one', 'a.example.com');
    await apply('two', 'b.example.com');
    const shared = await controlPlane.kubectl.get('project', 'shared', namespace);
    expect(shared).toMatchObject({
      spec: {
        domains: {
          redirects: [
            { from: 'a.example.com', status: 301 },
            { from: 'b.example.com', status: 301 },
          ],
        },
      },
    });
  });
});

describe('kubectl get', () => {
  const columns = (table: string): readonly (readonly string[])[] =>
    table
      .trim()
      .split('\n')
      .map((row) => row.trim().split(/ {2,}/));

  it('says of a domain in one line what it is, its state and why; the message in wide', async () => {
    const name = await created();
    const message =
      'no DNS record exists for www.example.com; create www.example.com. CNAME p-abc.cname.apps.example.net.';
    await applyStatus('operator', name, {
      state: 'Unverified',
      conditions: [condition('Accepted', 'True', 'Accepted'), condition('Ready', 'False', 'RecordMissing', message)],
    });
    const get = ['get', 'projectdomains', name, '-n', namespace];
    const [titles, line] = columns(await run(get));
    expect(titles).toEqual(['NAME', 'HOSTNAME', 'PROJECT', 'ROLE', 'STATE', 'REASON', 'AGE']);
    expect(line?.slice(0, 6)).toEqual([name, hostname, 'shop', 'Primary', 'Unverified', 'RecordMissing']);
    const [wideTitles, wideLine] = columns(await run([...get, '-o', 'wide']));
    expect([wideTitles?.at(-1), wideLine?.at(-1)]).toEqual(['MESSAGE', message]);
  });

  it('knows the short names, and all kinds by one word', async () => {
    const known = columns(await run(['api-resources', '--api-group=projectdomain.io', '-o', 'wide']));
    const shortNames = known.slice(1).map((row) => [row[0], row[1]]);
    expect(shortNames).toEqual(
      expect.arrayContaining([
        ['accounts', 'acct'],
        ['hostnameclaims', 'hc'],
        ['orderledgers', 'ol'],
        ['projectdomains', 'pd'],
        ['projects', 'proj'],
      ]),
    );
    expect(await run(['api-resources', '--categories=custom-domains', '-o', 'name'])).toBe(
      ['accounts', 'acmeissuers', 'apikeys', 'hostnameclaims', 'orderledgers', 'plans', 'projectdomains', 'projects']
        .map((plural) => `${plural}.projectdomain.io\n`)
        .join(''),
    );
  });
});

describe('kubectl explain', () => {
  it.each([
    ['projectdomain.spec.hostname', 'A-labels'],
    ['projectdomain.status.issues.fix', 'what to create'],
    ['project.spec.domains.redirects.to', 'the primary when absent'],
    ['account.spec.overrides', 'agreed with this account'],
    ['hostnameclaim.spec.epoch', 'change of account'],
  ])('%s says what it is', async (field, part) => {
    expect(await run(['explain', field])).toContain(part);
  });
});

describe('config/samples', () => {
  it('are accepted without being written once their namespaces are there, as docs/install.md says', async () => {
    for (const name of ['acme', 'globex']) await run(['create', 'namespace', name]);
    const told = await run(['apply', '--dry-run=server', '-f', controlPlane.folderOf('config/samples')]);
    expect(told.trim().split('\n')).toHaveLength(told.match(/ \(server dry run\)$/gm)?.length ?? 0);
    expect(await run(['get', 'projectdomains', '--all-namespaces', '-o', 'name'])).not.toContain('old.example.com');
  });

  it('apply as they are, each kind at least once', async () => {
    const applied = await run(['apply', '-f', controlPlane.folderOf('config/samples')]);
    const kinds = ['account', 'apikey', 'hostnameclaim', 'plan', 'project', 'projectdomain'];
    for (const kind of kinds) expect(applied).toMatch(new RegExp(`^${kind}\\.projectdomain\\.io/\\S+ created$`, 'm'));
    expect(await run(['apply', '-f', controlPlane.folderOf('config/samples')])).not.toMatch(/created|configured/);
  });
});
