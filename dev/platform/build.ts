import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { outputOf } from '../lib/output.ts';
import { cacheFolder, toolModules } from './cache.ts';
import type { Go } from './go.ts';
import { goOf } from './go.ts';
import { acquire } from './lock.ts';
import type { Progress } from './progress.ts';
import type { Recipe, ToolName } from './recipes.ts';
import { lanes, remaining } from './recipes.ts';
import { stubsOf, trim } from './trimmed.ts';

/** Builds programs into the cache; where each is, by name. Rejects when one cannot be built. */
export async function buildAll(
  recipes: readonly Recipe[],
  go: Go,
  progress: Progress,
): Promise<Readonly<Partial<Record<ToolName, string>>>> {
  const built = new Set<ToolName>();
  progress(`building ${recipes.map(({ name }) => name).join(', ')}; this happens once (${remaining(recipes, built)})`);
  const paths: Partial<Record<ToolName, string>> = {};
  const work = async (lane: readonly Recipe[]) => {
    const fetching = download(lane.slice(1), go);
    for (const recipe of lane) {
      const startedAt = Date.now();
      paths[recipe.name] = await build(recipe, go, progress);
      built.add(recipe.name);
      const seconds = Math.round((Date.now() - startedAt) / 1_000);
      progress(`built ${recipe.name} in ${seconds} s; ${remaining(recipes, built)}`);
    }
    await fetching;
  };
  await Promise.all(lanes(recipes).map(work));
  return paths;
}

/** Brings the modules of what is built later while the processors build what comes first; a fault shows when it is built. */
async function download(recipes: readonly Recipe[], go: Go): Promise<void> {
  for (const recipe of recipes) {
    if (recipe.trimmed) continue;
    const options = { cwd: join(toolModules, recipe.module), env: environmentOf(recipe, go) };
    await outputOf(go.program, ['list', '-deps', '-f', '', recipe.package], options).catch(() => undefined);
  }
}

/** The place in the cache, which is keyed by everything that goes into a build. */
function pathInCache(recipe: Recipe): string {
  const hash = createHash('sha256').update(process.arch);
  inputsOf(recipe).forEach((file) => hash.update(readFileSync(file)));
  return join(cacheFolder(), `${recipe.module}-${hash.digest('hex').slice(0, 16)}`, recipe.name);
}

const sharedWork = join(toolModules, 'shared.work');

function inputsOf({ module, shared, trimmed }: Recipe): readonly string[] {
  const folder = join(toolModules, module);
  const stubs = trimmed ? readdirSync(stubsOf(module), { recursive: true, encoding: 'utf8' }).sort() : [];
  const own = readdirSync(folder).filter((file) => /\.(mod|sum|go)$/.test(file));
  const files = [
    ...own.sort().map((file) => join(folder, file)),
    ...stubs.filter((file) => file.endsWith('.go')).map((file) => join(stubsOf(module), file)),
    ...(shared ? [sharedWork, ...goModsOf(readFileSync(sharedWork, 'utf8'))] : []),
  ];
  return files.filter((file) => existsSync(file));
}

const goModsOf = (work: string): readonly string[] =>
  [...work.matchAll(/^\t\.\/(\S+)$/gm)].map(([, module = '']) => join(toolModules, module, 'go.mod'));

/** null when it has to be built. */
export function cached(recipe: Recipe): string | null {
  const path = pathInCache(recipe);
  return existsSync(path) ? path : null;
}

async function build(recipe: Recipe, go: Go, progress: Progress): Promise<string> {
  const path = pathInCache(recipe);
  mkdirSync(dirname(path), { recursive: true });
  const release = await acquire(`${path}.lock`, progress);
  const draft = `${path}.${process.pid}`;
  const copies = `${path}.trimmed`;
  try {
    if (existsSync(path)) return path;
    const trimming = await trim(recipe, copies, go);
    const args = ['build', '-trimpath', ...trimming, ...lean, '-ldflags', linkerFlags(recipe), '-o', draft];
    const status = await run(go, [...args, recipe.package], recipe);
    if (status !== 0)
      throw new Error(`building ${recipe.name} failed with status ${status}; what Go said of it is above`);
    renameSync(draft, path);
    return path;
  } finally {
    rmSync(draft, { force: true });
    rmSync(copies, { recursive: true, force: true });
    release();
  }
}

/** Nobody debugs these programs: a sixth of the compiler's time goes into what debuggers read. */
const lean = ['-gcflags=all=-dwarf=false'] as const;

/** The compiler collects its garbage less often, which takes less time and, at these sizes, a little more memory. */
const collectAtPercent = '200';

const environmentOf = ({ module, shared }: Recipe, go: Go): NodeJS.ProcessEnv => ({
  GOGC: collectAtPercent,
  ...goOf(module, go).env,
  CGO_ENABLED: '0',
  GOWORK: shared ? sharedWork : 'off',
});

/** What programs say of versions is given to them by the linker: without it Kubernetes is v0.0.0, and 1.20 for helm. */
const versionVariables: Readonly<Record<string, readonly string[]>> = {
  kubernetes: ['k8s.io/component-base/version.git'],
  node: ['k8s.io/component-base/version.git'],
  helm: ['helm.sh/helm/v3/pkg/chartutil.k8sVersion', 'helm.sh/helm/v3/pkg/lint/rules.k8sVersion'],
};

/** What programs have no option for. Envoy Gateway's second address for metrics is one that Services of a platform have. */
const settings: Readonly<Record<string, readonly string[]>> = {
  'envoy-gateway': ['-X sigs.k8s.io/controller-runtime/pkg/metrics/server.DefaultBindAddress=0'],
};

function linkerFlags({ module }: Recipe): string {
  const text = readFileSync(join(toolModules, 'kubernetes/go.mod'), 'utf8');
  const [, full = '', major = '', minor = ''] = /k8s\.io\/kubernetes (v(\d+)\.(\d+)\.\d+)/.exec(text) ?? [];
  const flags = (versionVariables[module] ?? []).flatMap((variable) => [
    `-X ${variable}Version=${full}`,
    `-X ${variable}Major=${major}`,
    `-X ${variable}Minor=${minor}`,
  ]);
  return ['-s -w', ...flags, ...(settings[module] ?? [])].join(' ');
}

function run(go: Go, args: readonly string[], recipe: Recipe): Promise<number | null> {
  const options = { cwd: join(toolModules, recipe.module), env: environmentOf(recipe, go) };
  return new Promise((resolve, reject) => {
    spawn(go.program, args, { ...options, stdio: ['ignore', 2, 2] })
      .on('error', reject)
      .on('close', resolve);
  });
}
