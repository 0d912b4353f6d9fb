import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf } from '../lib/output.ts';
import { buildAll, cached } from './build.ts';
import { toolModules } from './cache.ts';
import { findDebian } from './debian.ts';
import { findGo } from './go.ts';
import { nodePrograms, obstaclesToBuilding } from './preflight.ts';
import type { Progress } from './progress.ts';
import type { NodeTool, PlatformTool, Recipe, ToolName } from './recipes.ts';
import { campaignRecipes, edgeRecipes, nodeRecipes, platformRecipes, upstreamRecipes } from './recipes.ts';

export type Tools = Readonly<Record<PlatformTool | 'redis-server', string>>;
export type NodeTools = Readonly<Record<NodeTool | 'buildah', string>>;

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

/** The path of one program alone, for what needs no platform. */
export async function findTool(name: ToolName, progress: Progress): Promise<string> {
  const recipes: readonly Recipe[] = [
    ...platformRecipes,
    ...nodeRecipes,
    ...campaignRecipes,
    ...edgeRecipes,
    ...upstreamRecipes,
  ];
  const found = await findBuilt(
    recipes.filter((recipe) => recipe.name === name),
    progress,
  );
  return found[name];
}

/** The same for what a node needs; Debian brings runc, the CNI plugins, iptables and buildah. */
export async function findNodeTools(progress: Progress): Promise<NodeTools> {
  const [buildah = ''] = await findDebian(nodePrograms, progress);
  return { buildah, ...(await findBuilt(nodeRecipes, progress)) };
}

const isMissing = (recipe: Recipe): boolean => (given(recipe.name) ?? cached(recipe)) === null;

async function findBuilt<Name extends ToolName>(
  recipes: readonly Recipe<Name>[],
  progress: Progress,
): Promise<Record<Name, string>> {
  const missing = recipes.filter(isMissing);
  const built = missing.length > 0 ? await buildMissing(missing, progress) : {};
  const found = recipes.map((recipe) => [recipe.name, built[recipe.name] ?? given(recipe.name) ?? cached(recipe)]);
  return Object.fromEntries(found) as Record<Name, string>;
}

async function buildMissing(missing: readonly Recipe[], progress: Progress) {
  const go = await findGo(progress);
  const obstacles = await obstaclesToBuilding(missing, go);
  if (obstacles.length > 0) throw new Error(`the tools cannot be built here: ${obstacles.join('; ')}`);
  return buildAll(missing, go, progress);
}

function given(name: ToolName): string | null {
  const folders = [process.env.PROJECTDOMAIN_TOOLS, process.env.KUBEBUILDER_ASSETS].filter(
    (folder) => folder !== undefined,
  );
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** The folder of a pinned Go module's own files (CRDs and the like), downloaded if need be. */
export async function moduleFolder(module: string, path: string): Promise<string> {
  const go = await findGo(() => undefined);
  const options = { cwd: join(toolModules, module), env: { ...go.env, GOWORK: 'off' } };
  const text = await outputOf(go.program, ['mod', 'download', '-json', path], options);
  return (JSON.parse(text) as { Dir: string }).Dir;
}
