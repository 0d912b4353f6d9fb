import { packageHomes, processes, rooms, shared } from './dev/lint/rooms.mjs';

const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** A room by its path, without the rooms inside of it; a file by its name. */
function within(place) {
  if (place.endsWith('.ts')) return `^src/${escaped(place)}$`;
  return shared.includes(place) ? `^src/${escaped(place)}/[^/]+$` : `^src/${escaped(place)}/`;
}

const room = ([name, may]) => ({
  name: `${name} imports only what it may`,
  severity: 'error',
  from: { path: within(name) },
  to: { path: '^src/', pathNot: [within(name), ...may.map(within)] },
});

const program = ([name, may]) => ({
  name: `${name} is a program of its own`,
  severity: 'error',
  from: { path: within(name) },
  to: { path: Object.keys(processes).map(within), pathNot: [within(name), ...may.map(within)] },
});

const atHome = ([name, homes]) => ({
  name: `${name} stays where it belongs`,
  severity: 'error',
  from: { path: '^src/', pathNot: homes.map(within) },
  to: { path: `node_modules/${escaped(name)}/` },
});

export default {
  forbidden: [
    ...Object.entries(rooms).map(room),
    ...shared.map((name) => room([name, []])),
    ...Object.entries(processes).map(program),
    ...Object.entries(packageHomes).map(atHome),
    {
      name: 'no circles, not even of types',
      severity: 'error',
      from: { path: '^(src|dev)/' },
      to: { circular: true },
    },
    { name: 'src knows nothing of dev', severity: 'error', from: { path: '^src/' }, to: { path: '^(dev|test)/' } },
    { name: 'dev knows nothing of src', severity: 'error', from: { path: '^dev/' }, to: { path: '^src/' } },
    { name: 'nothing is unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'a program is imported by nobody',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/[^/]+/main\\.ts$' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types', 'default'] },
  },
};
