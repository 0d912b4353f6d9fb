import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/**
 * The arrows between the rooms of src/: each room with the rooms it may import. Composition roots (files directly
 * under src/) may import every room and are imported by nobody. `ports` are files a room may import types from.
 */
const rooms = {
  model: { may: ['generated'] },
  generated: { may: [] },
  verdict: { may: ['model'] },
  routes: { may: ['model', 'generated'] },
  runtime: { may: [] },
  engine: { may: ['runtime'] },
  dns: { may: ['runtime', 'model'] },
  probe: { may: ['runtime', 'model'] },
  kube: { may: ['runtime'] },
  redis: { may: ['runtime'] },
  quota: { may: ['runtime'] },
  session: { may: [] },
  reconcile: {
    may: ['model', 'verdict', 'routes', 'generated'],
    ports: ['kubernetes/kubernetes-port.ts', 'dns/dns-port.ts', 'routing/probe-port.ts'],
  },
  redirect: { may: ['model', 'generated'] },
  api: { may: ['model', 'verdict', 'quota', 'generated'], ports: ['kubernetes/kubernetes-port.ts', 'dashboard/sessions/sessions-port.ts'] },
};

/** Packages that belong to one room each, or to none of what is shipped; everything else is free. */
const packageHomes = {
  undici: ['kube', 'dns'],
  '@kubernetes/client-node': ['kube'],
  'dns-packet': [],
  tldts: ['model'],
  '@peculiar/asn1-csr': ['model'],
  '@peculiar/asn1-schema': ['model'],
  '@peculiar/asn1-x509': ['model'],
  pino: ['runtime'],
  'prom-client': ['runtime'],
  express: ['api'],
  ioredis: ['redis', 'quota', 'session'],
};

const pure = ['model', 'verdict', 'routes'];

function roomRules(room, { may, ports = [] }) {
  const others = Object.keys(rooms).filter((other) => other !== room && !may.includes(other));
  const forbidden = others.map((other) => ({
    regex: `^(\\.\\./)+${other}/(?!(${ports
      .filter((p) => p.startsWith(`${other}/`))
      .map((p) => p.slice(other.length + 1).replaceAll('.', '\\.'))
      .join('|')})$).*`.replace('(?!()$)', ''),
    message: `${room}/ may not import ${other}/ (arrows between rooms: eslint.config.js).`,
  }));
  const packages = Object.entries(packageHomes)
    .filter(([, homes]) => !homes.includes(room))
    .map(([name]) => ({
      regex: `^${name}(/.*)?$`,
      message: `${name} does not belong in ${room}/ (eslint.config.js).`,
    }));
  const world = pure.includes(room)
    ? [
        {
          regex: '^node:(?!(crypto|zlib)$)',
          message: `${room}/ is pure: no Node built-ins but hashes and checksums.`,
          allowTypeImports: true,
        },
      ]
    : [];
  const roots = [{ regex: '^(\\.\\./)+[^/]+\\.ts$', message: 'Nobody imports a composition root.' }];
  const insideRoots = { regex: '^(\\.\\./)+dev/.*', message: 'src/ may not import dev/.' };
  return {
    files: [`src/${room}/**/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [...forbidden, ...packages, ...world, ...roomRoots(room, roots), insideRoots] },
      ],
      ...(pure.includes(room)
        ? {
            'no-restricted-properties': [
              'error',
              { object: 'Date', property: 'now', message: 'Pure rooms are given the time.' },
              { object: 'Math', property: 'random', message: 'Pure rooms are given their randomness.' },
            ],
            'no-restricted-globals': ['error', 'process', 'fetch', 'setTimeout', 'setInterval'],
          }
        : {}),
    },
  };
}

/** `../x.ts` is a root only from a file directly in a room; deeper folders import siblings of their parents freely. */
function roomRoots(room, roots) {
  return ['reconcile', 'api', 'model'].includes(room) ? [] : roots;
}

export default tseslint.config(
  { ignores: ['node_modules/**', 'src/generated/**'] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked.map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      complexity: ['error', 12],
      'max-depth': ['error', 3],
      'max-params': ['error', 4],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: { 'max-lines': 'off', 'max-params': 'off', '@typescript-eslint/unbound-method': 'off' },
  },
  { files: ['dev/**/*.ts', 'src/cli/main.ts', 'src/cli/**/*.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['dev/**/*.ts', 'dev/**/*.mjs'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^(\\.\\./)+src/.*', message: 'dev/ imports nothing from src/.' }] },
      ],
    },
  },
  ...Object.entries(rooms).map(([room, rule]) => roomRules(room, rule)),
  {
    files: ['**/*.mjs', '*.js'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly', setTimeout: 'readonly' } },
  },
  { files: ['eslint.config.js', 'jest.config.js'], rules: { 'no-restricted-exports': 'off' } },
);
