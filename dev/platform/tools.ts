import { createHash } from 'node:crypto';
import type { SpawnOptionsWithStdioTuple, StdioNull, StdioPipe } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findDebian } from './debian.ts';
import { acquire } from './lock.ts';

/** The programs of every platform, by file name. */
type PlatformTool =
  'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kubectl' | 'cert-manager' | 'pebble' | 'traefik' | 'helm';

/** What a node with real Pods needs besides, and what goes into its images. */
type NodeTool =
  | 'kubelet'
  | 'kube-scheduler'
  | 'kube-proxy'
  | 'containerd'
  | 'containerd-shim-runc-v2'
  | 'ctr'
  | 'crane'
  | 'coredns'
  | 'acmesolver'
  | 'pause';

export type ToolName = PlatformTool | NodeTool;

export type Tools = Readonly<Record<PlatformTool | 'redis-server', string>>;
export type NodeTools = Readonly<Record<NodeTool | 'buildah', string>>;

/** Told what takes long. */
export type Progress = (line: string) => void;

interface Recipe<Name extends ToolName> {
  readonly name: Name;
  /** folder below dev/tools with the go.mod that pins it */
  readonly module: string;
  readonly package: string;
}

/** What takes longest comes first, so that the two builders end together. */
const platformRecipes: readonly Recipe<PlatformTool>[] = [
  { name: 'traefik', module: 'traefik', package: 'github.com/traefik/traefik/v3/cmd/traefik' },
  { name: 'kube-apiserver', module: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kube-apiserver' },
  { name: 'cert-manager', module: 'cert-manager', package: '.' },
  { name: 'helm', module: 'helm', package: 'helm.sh/helm/v3/cmd/helm' },
  { name: 'kube-controller-manager', module: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kube-controller-manager' },
  { name: 'kubectl', module: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kubectl' },
  { name: 'etcd', module: 'etcd', package: 'go.etcd.io/etcd/server/v3' },
  { name: 'pebble', module: 'pebble', package: 'github.com/letsencrypt/pebble/v2/cmd/pebble' },
];

const nodeRecipes: readonly Recipe<NodeTool>[] = [
  { name: 'coredns', module: 'coredns', package: 'github.com/coredns/coredns' },
  { name: 'containerd', module: 'containerd', package: 'github.com/containerd/containerd/v2/cmd/containerd' },
  { name: 'kubelet', module: 'node', package: 'k8s.io/kubernetes/cmd/kubelet' },
  { name: 'kube-scheduler', module: 'node', package: 'k8s.io/kubernetes/cmd/kube-scheduler' },
  { name: 'kube-proxy', module: 'node', package: 'k8s.io/kubernetes/cmd/kube-proxy' },
  {
    name: 'containerd-shim-runc-v2',
    module: 'containerd',
    package: 'github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2',
  },
  { name: 'ctr', module: 'containerd', package: 'github.com/containerd/containerd/v2/cmd/ctr' },
  { name: 'crane', module: 'crane', package: 'github.com/google/go-containerregistry/cmd/crane' },
  { name: 'acmesolver', module: 'solver', package: '.' },
  { name: 'pause', module: 'pause', package: '.' },
];

const modules = join(import.meta.dirname, '../tools');
export const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'projectdomain');

/**
 * Every program of a platform: from PROJECTDOMAIN_TOOLS or KUBEBUILDER_ASSETS, else from the cache, else built from its
 * pinned module into the cache. Rejects with one sentence that says what is missing and what brings it.
 */
export async function findTools(progress: Progress): Promise<Tools> {
  return { 'redis-server': await findRedis(progress), ...(await findBuilt(platformRecipes, progress)) };
}

/** The path of redis-server alone: what needs no platform waits for none to be built. */
export async function findRedis(progress: Progress): Promise<string> {
  const [redis = ''] = await findDebian([{ file: 'redis-server', package: 'redis-server' }], progress);
  return redis;
}

/** The same for what a node needs; Debian brings runc, the CNI plugins, iptables and buildah. */
export async function findNodeTools(progress: Progress): Promise<NodeTools> {
  const [buildah = ''] = await findDebian(
    [
      { file: 'buildah', package: 'buildah' },
      { file: 'runc', package: 'runc' },
      { file: 'iptables', package: 'iptables' },
      { file: 'conntrack', package: 'conntrack' },
      { file: '/usr/lib/cni/bridge', package: 'containernetworking-plugins' },
    ],
    progress,
  );
  return { buildah, ...(await findBuilt(nodeRecipes, progress)) };
}

async function findBuilt<Name extends ToolName>(
  recipes: readonly Recipe<Name>[],
  progress: Progress,
): Promise<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  const missing: Recipe<Name>[] = [];
  for (const recipe of recipes) {
    const path = given(recipe.name) ?? cached(recipe);
    if (path === null) missing.push(recipe);
    else found[recipe.name] = path;
  }
  if (missing.length > 0) {
    progress(`building ${missing.map(({ name }) => name).join(', ')}; this happens once and takes minutes`);
    Object.assign(found, await buildAll(missing, progress));
  }
  return found as Record<Name, string>;
}

/** Two builds go on side by side: while one downloads its modules, the other has the processors. */
async function buildAll(
  missing: readonly Recipe<ToolName>[],
  progress: Progress,
): Promise<Partial<Record<ToolName, string>>> {
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
function pathInCache({ name, module }: Recipe<ToolName>): string {
  const files = ['go.mod', 'go.sum', 'main.go']
    .map((file) => join(modules, module, file))
    .filter((file) => existsSync(file));
  const hash = createHash('sha256').update(process.arch);
  files.forEach((file) => hash.update(readFileSync(file)));
  return join(cache, `${module}-${hash.digest('hex').slice(0, 16)}`, name);
}

function cached(recipe: Recipe<ToolName>): string | null {
  const path = pathInCache(recipe);
  return existsSync(path) ? path : null;
}

async function build(recipe: Recipe<ToolName>, progress: Progress): Promise<string> {
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

/** What programs say of versions is given to them by the linker: without it Kubernetes is v0.0.0, and 1.20 for helm. */
const versionVariables: Readonly<Record<string, readonly string[]>> = {
  kubernetes: ['k8s.io/component-base/version.git'],
  node: ['k8s.io/component-base/version.git'],
  helm: ['helm.sh/helm/v3/pkg/chartutil.k8sVersion', 'helm.sh/helm/v3/pkg/lint/rules.k8sVersion'],
};

function linkerFlags({ module }: Recipe<ToolName>): string {
  const text = readFileSync(join(modules, 'kubernetes/go.mod'), 'utf8');
  const [, full = '', major = '', minor = ''] = /k8s\.io\/kubernetes (v(\d+)\.(\d+)\.\d+)/.exec(text) ?? [];
  const flags = (versionVariables[module] ?? []).flatMap((variable) => [
    `-X ${variable}Version=${full}`,
    `-X ${variable}Major=${major}`,
    `-X ${variable}Minor=${minor}`,
  ]);
  return ['-s -w', ...flags].join(' ');
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
