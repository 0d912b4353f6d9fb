import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createKey } from '../platform/demo-account.ts';
import { startPlatform } from '../platform/platform.ts';

const version = '4.32.5';
const venv = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'projectdomain', `schemathesis-${version}`);
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'response_schema_conformance',
  'content_type_conformance',
  'response_headers_conformance',
];
/** Streams have no end, and whoever tries every call would delete the key it comes with. */
const leftOut = 'events$|keys/';

/** Random requests made from the OpenAPI document against the running API; resolves to true when nothing was found. */
export async function schemathesis(progress: (line: string) => void): Promise<boolean> {
  const program = join(venv, 'bin/schemathesis');
  if (!existsSync(program)) await install(progress);
  const platform = await startPlatform({ dir: null, progress, ours: true });
  try {
    const { apiUrl, kubeconfig } = platform.facts;
    const overrides = { rateLimit: { requestsPerMinute: 1_000_000, requestsPerDay: 100_000_000 } };
    await platform.kubectl.run([
      'patch',
      'account',
      'demo',
      '--type=merge',
      '-p',
      JSON.stringify({ spec: { overrides } }),
    ]);
    const key = await createKey('demo', kubeconfig);
    await eventuallyKnown(`${apiUrl}/v1/account`, key);
    const options = [
      '--max-examples',
      '150',
      '--workers',
      '1',
      '--request-timeout',
      '15',
      '--checks',
      checks.join(','),
    ];
    const target = [`${apiUrl}/v1/openapi.json`, '-H', `Authorization: Bearer ${key}`, '--exclude-path-regex', leftOut];
    return (await run(program, ['run', ...target, ...options])) === 0;
  } finally {
    await platform.stop();
  }
}

async function install(progress: (line: string) => void): Promise<void> {
  progress(`installing schemathesis ${version} (pip)`);
  const made = await run('python3', ['-m', 'venv', venv]);
  const status = made === 0 ? await run(join(venv, 'bin/pip'), ['install', '-q', `schemathesis==${version}`]) : made;
  if (status !== 0) throw new Error('schemathesis could not be installed; it needs python3 with venv and pip');
}

async function eventuallyKnown(url: string, key: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const { status } = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the API does not know the key');
}

function run(program: string, args: readonly string[]): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', reject);
    child.on('close', resolve);
  });
}
