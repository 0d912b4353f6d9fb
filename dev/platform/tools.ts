import { createHash } from 'node:crypto';
import type { SpawnOptionsWithStdioTuple, StdioNull, StdioPipe } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { acquire } from './lock.ts';

/** The programs of the platform, by file name. */
export type ToolName =
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kubectl'
  | 'cert-manager'
  | 'pebble'
  | 'traefik'
  | 'redis-server';

export type Tools = Readonly<Record<ToolName, string>>;

/** Told what takes long. */
export type Progress = (line: string) => void;

interface Recipe {
  readonly name: ToolName;
  /** folder below dev/tools with the go.mod that pins it */
  readonly module: string;
  readonly package: string;
}

/** What takes longest comes first, so that the two builders end together. */
const recipes: readonly Recipe[] = [
  { name: 'traefik', module: 'traefik', package: 'github.com/traefik/traefik/v3/cmd/traefik' },
  { name: 'kube-apiserver', module: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kube-apiserver' },
  { name: 'cert-manager', module: 'cert-manager', package: '.' },
  { name: 'kube-controller-manager', module: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kube-controller-manager' },
  { name: 'kubectl', module: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kubectl' },
  { name: 'etcd', module: 'etcd', package: 'go.etcd.io/etcd/server/v3' },
  { name: 'pebble', module: 'pebble', package: 'github.com/letsencrypt/pebble/v2/cmd/pebble' },
];

const modules = join(import.meta.dirname, '../tools');
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'projectdomain');

/**
 * Every program: from PROJECTDOMAIN_TOOLS or KUBEBUILDER_ASSETS, else from the cache, else built from its pinned
 * module into the cache. Rejects with one sentence that says what is missing and what brings it.
 */
export async function findTools(progress: Progress): Promise<Tools> {
  const found: Partial<Record<ToolName, string>> = { 'redis-server': await findRedis(progress) };
  const missing: Recipe[] = [];
  for (const recipe of recipes) {
    const path = given(recipe.name) ?? cached(recipe);
    if (path === null) missing.push(recipe);
    else found[recipe.name] = path;
  }
  if (missing.length > 0) {
    progress(`building ${missing.map(({ name }) => name).join(', ')}; this happens once and takes minutes`);
    Object.assign(found, await buildAll(missing, progress));
  }
  return found as Tools;
}

/** Two builds go on side by side: while one downloads its modules, the other has the processors. */
async function buildAll(missing: readonly Recipe[], progress: Progress): Promise<Partial<Record<ToolName, string>>> {
  const built: Partial<Record<ToolName, string>> = {};
  const waiting = [...missing];
  const work = async () => {
    for (let recipe = waiting.shift(); recipe !== undefined; recipe = waiting.shift()) {
      progress(`building ${recipe.name} (${missing.length - waiting.length} of ${missing.length})`);
      built[recipe.name] = await build(recipe, progress);
    }
  };
  await Promise.all([work(), work()]);
  return built;
}

function given(name: ToolName): string | null {
  const folders = [process.env.PROJECTDOMAIN_TOOLS, process.env.KUBEBUILDER_ASSETS].filter(
    (folder) => folder !== undefined,
  );
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** The cache is keyed by everything that goes into a build. */
function pathInCache({ name, module }: Recipe): string {
  const files = ['go.mod', 'go.sum', 'main.go']
    .map((file) => join(modules, module, file))
    .filter((file) => existsSync(file));
  const hash = createHash('sha256').update(process.arch);
  files.forEach((file) => hash.update(readFileSync(file)));
  return join(cache, `${module}-${hash.digest('hex').slice(0, 16)}`, name);
}

function cached(recipe: Recipe): string | null {
  const path = pathInCache(recipe);
  return existsSync(path) ? path : null;
}

async function build(recipe: Recipe, progress: Progress): Promise<string> {
  const path = pathInCache(recipe);
  mkdirSync(join(path, '..'), { recursive: true });
  const release = await acquire(`${path}.lock`, progress);
  try {
    if (existsSync(path)) return path;
    const draft = `${path}.${process.pid}`;
    const startedAt = Date.now();
    const args = ['build', '-trimpath', '-ldflags', linkerFlags(recipe), '-o', draft, recipe.package];
    const status = await run('go', args, {
      cwd: join(modules, recipe.module),
      env: { ...process.env, CGO_ENABLED: '0' },
    });
    if (status !== 0) {
      rmSync(draft, { force: true });
      throw new Error(
        `building ${recipe.name} failed with status ${status}; see the output above (Go 1.26 or newer is needed)`,
      );
    }
    renameSync(draft, path);
    progress(`built ${recipe.name} in ${Math.round((Date.now() - startedAt) / 1_000)} s`);
    return path;
  } finally {
    release();
  }
}

/** Kubernetes' programs report the version they were linked with; without these it reads v0.0.0. */
function linkerFlags({ module }: Recipe): string {
  if (module !== 'kubernetes') return '-s -w';
  const version = /k8s\.io\/kubernetes (v(\d+)\.(\d+)\.\d+)/.exec(
    readFileSync(join(modules, module, 'go.mod'), 'utf8'),
  );
  const [, full = '', major = '', minor = ''] = version ?? [];
  const at = 'k8s.io/component-base/version';
  return `-s -w -X ${at}.gitVersion=${full} -X ${at}.gitMajor=${major} -X ${at}.gitMinor=${minor}`;
}

/** Debian's Redis, without a service left running; from apt-get when we may. */
async function findRedis(progress: Progress): Promise<string> {
  const search = () =>
    [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin']
      .map((folder) => join(folder, 'redis-server'))
      .find((path) => existsSync(path));
  const present = given('redis-server') ?? search();
  if (present) return present;
  const how = 'install it with: apt-get install redis-server';
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new Error(`redis-server is missing; ${how}`);
  progress('installing redis-server (apt-get)');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  await run('apt-get', ['update', '-qq'], { env });
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'redis-server'], { env });
  const installed = search();
  if (!installed) throw new Error(`redis-server could not be installed; ${how}`);
  return installed;
}

function run(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env: NodeJS.ProcessEnv },
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 2, 2] });
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new Error(`${program} is missing; install it and try again`) : error),
    );
    child.on('close', resolve);
  });
}

/** The folder of a pinned Go module's own files (CRDs and the like), downloaded if need be. */
export async function moduleFolder(module: string, path: string): Promise<string> {
  const options: SpawnOptionsWithStdioTuple<StdioNull, StdioPipe, StdioNull> = {
    cwd: join(modules, module),
    stdio: ['ignore', 'pipe', 'inherit'],
  };
  const child = spawn('go', ['mod', 'download', '-json', path], options);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const status = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (status !== 0) throw new Error(`go mod download ${path} failed with status ${String(status)}`);
  return (JSON.parse(text) as { Dir: string }).Dir;
}
