import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { platformRecipes } from '../../../dev/platform/recipes.ts';
import { trim } from '../../../dev/platform/trimmed.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'projectdomain-trimmed-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const traefik = platformRecipes.filter(({ name }) => name === 'traefik');
const lego = 'github.com/go-acme/lego/v4';

/** A module cache in which every module looks like lego, and a Go that says where each is. */
function moduleCache() {
  const original = join(folder, 'cache');
  const files = { 'go.mod': 'module lego', 'lego/client.go': 'package lego', 'providers/dns/many.go': 'package dns' };
  for (const [file, content] of Object.entries({ ...files, 'providers/dns/acmedns/acmedns.go': 'package acmedns' })) {
    mkdirSync(dirname(join(original, file)), { recursive: true });
    writeFileSync(join(original, file), content, { mode: 0o444 });
  }
  mkdirSync(join(original, 'pkg/provider/ecs'), { recursive: true });
  for (const name of ['', 'syscall', 'unsafe']) mkdirSync(join(original, 'stdlib', name), { recursive: true });
  const program = join(folder, 'go');
  writeFileSync(program, `#!/bin/sh\nprintf '{"Dir": "${original}"}'\n`);
  chmodSync(program, 0o755);
  return { original, go: { program, env: {} } };
}

/** Fails when a build would take upstream's package beside the stub, write into Go's cache, or use neither. */
describe('a trimmed module', () => {
  it('is a copy in which the stub stands alone in its folder, and the rest is as it was', async () => {
    const { original, go } = moduleCache();
    const copies = join(folder, 'copies');
    for (const recipe of traefik) await trim(recipe, copies, go);
    const copy = join(copies, lego);
    expect(readdirSync(join(copy, 'providers/dns'), { encoding: 'utf8' }).toSorted()).toEqual(['acmedns', 'dns.go']);
    expect(readFileSync(join(copy, 'providers/dns/dns.go'), 'utf8')).toContain('unrecognized DNS provider');
    expect(readFileSync(join(copy, 'lego/client.go'), 'utf8')).toBe('package lego');
    expect(readdirSync(join(original, 'providers/dns'))).toContain('many.go');
  });

  it('is what the build is told to use, with the pins of the module it is built from', async () => {
    const { go } = moduleCache();
    const copies = join(folder, 'copies');
    const told = await Promise.all(traefik.map((recipe) => trim(recipe, copies, go)));
    expect(told).toEqual([[`-modfile=${join(copies, 'go.mod')}`]]);
    const goMod = readFileSync(join(copies, 'go.mod'), 'utf8');
    expect(goMod).toContain(`\nreplace ${lego} => ${join(copies, lego)}\n`);
    expect(goMod).toContain('github.com/traefik/traefik/v3 v3.');
    expect(readdirSync(copies)).toContain('go.sum');
  });

  it('is not made for what is built whole', async () => {
    const { go } = moduleCache();
    const pebble = platformRecipes.filter(({ name }) => name === 'pebble');
    expect(await Promise.all(pebble.map((recipe) => trim(recipe, join(folder, 'copies'), go)))).toEqual([[]]);
    expect(readdirSync(folder)).not.toContain('copies');
  });
});
