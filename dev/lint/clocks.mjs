/**
 * No verdict of a test depends on how fast the machine is: a test reads no clock and waits for no time to pass. Whatever it is called by counts, also
 * by an import under another name, a property or a constant. Given to others as a port, the system's clock is fine: it is the product that reads it.
 */
const reading =
  'a test reads no clock: write fromNow(ms) into an object (test/support/from-now.ts), count what happens instead of timing it, or pass a fake clock';
const waiting =
  'a test waits for no time to pass: await the event itself or `eventually`, count further turns, requests or looks, or advance a fake clock';
const patient = '`eventually` waits longer by itself: what a tool needs is a fixed, generous number';

const banned = new Map([
  ...[
    'Date.now',
    'performance.now',
    'performance.mark',
    'performance.measure',
    'performance.timeOrigin',
    'perf_hooks.monitorEventLoopDelay',
    'process.cpuUsage',
    'process.hrtime',
    'process.resourceUsage',
    'process.threadCpuUsage',
    'process.uptime',
    'Temporal.Now',
    'systemClock.now',
    'systemClock.elapsed',
  ].map((path) => [path, reading]),
  ...[
    'setTimeout',
    'setInterval',
    'Atomics.wait',
    'Atomics.waitAsync',
    'timers/promises.setTimeout',
    'timers/promises.setInterval',
    'timers/promises.scheduler',
    'systemClock.sleep',
  ].map((path) => [path, waiting]),
  ['eventually.busyFactor', patient],
]);
/** Of these the call alone: whoever is given them reads the time. */
const isPort = (path) => path.startsWith('systemClock.');

/** What several names stand for: `node:` before a built-in module, globals by the module that has them too, our own modules by their paths. */
const normalized = (path) =>
  path
    .replace(/^node:/, '')
    .replace(/^(\.\.?\/.*\/)?lib\/clock\.ts\.systemClock\b/, 'systemClock')
    .replace(/^(\.\.?\/.*\/)?lib\/eventually\.ts\./, 'eventually.')
    .replace(/\.default\b/, '')
    .replace(/^perf_hooks\.performance\b/, 'performance')
    .replace(/^timers\.promises\b/, 'timers/promises')
    .replace(/^timers\.(?=set)/, '')
    .replace(/^(globalThis|global)\./, '');

const keyOf = ({ computed, key, property = key }) => {
  if (property.type === 'Literal') return String(property.value);
  return computed ? null : property.name;
};

/** `module.name` of what an import brings; the module alone for all of it. */
function importedPath(specifier, declaration) {
  const module = declaration.source.value;
  if (specifier.type !== 'ImportSpecifier') return module;
  return `${module}.${specifier.imported.name ?? specifier.imported.value}`;
}

/** Where a declaration that takes apart finds a name, as `.a.b`; null where it cannot be told. */
function partOf(pattern, name) {
  if (pattern.type === 'Identifier') return pattern.name === name ? '' : null;
  if (pattern.type === 'AssignmentPattern') return partOf(pattern.left, name);
  if (pattern.type !== 'ObjectPattern') return null;
  for (const property of pattern.properties) {
    const rest = property.type === 'Property' ? partOf(property.value, name) : null;
    if (rest !== null) return `.${keyOf(property)}${rest}`;
  }
  return null;
}

/** What an expression stands for, as a path that begins with a global or a module; null for everything else. */
function createPaths(variableOf) {
  const pathOfName = (node, seen) => {
    const variable = variableOf(node);
    const [definition] = variable?.defs ?? [];
    if (!definition) return node.name;
    if (definition.type === 'ImportBinding') return importedPath(definition.node, definition.parent);
    if (definition.type !== 'Variable' || !definition.node.init || seen.has(variable)) return null;
    const whole = pathOf(definition.node.init, new Set([...seen, variable]));
    const part = partOf(definition.node.id, variable.name);
    return whole === null || part === null ? null : `${whole}${part}`;
  };
  const pathOfMember = (node, seen) => {
    const [object, key] = [pathOf(node.object, seen), keyOf(node)];
    return object === null || key === null ? null : `${object}.${key}`;
  };
  const rawPathOf = (node, seen) => {
    if (node.type === 'Identifier') return pathOfName(node, seen);
    if (node.type === 'MemberExpression') return pathOfMember(node, seen);
    if (node.type === 'ImportExpression') return node.source.value ?? null;
    const inner = /^(Chain|TSAs|TSNonNull|TSSatisfies)Expression$/.test(node.type) ? node.expression : null;
    const awaited = node.type === 'AwaitExpression' ? node.argument : inner;
    return awaited === null ? null : rawPathOf(awaited, seen);
  };
  const pathOf = (node, seen = new Set()) => {
    const path = rawPathOf(node, seen);
    return path === null ? null : normalized(path);
  };
  return pathOf;
}

/** True where a name is used, or declared by taking something apart; else what it stands for is found where it comes from. */
function isUse({ identifier, init, isValueReference = true, resolved }) {
  const [definition] = resolved?.defs ?? [];
  if (!isValueReference || identifier.parent.type === 'TSTypeQuery' || definition?.type === 'ImportBinding')
    return false;
  return !init || definition?.node.id?.type === 'ObjectPattern';
}

/** The rule, for ESLint. */
export const clocks = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const references = context.sourceCode.scopeManager.scopes.flatMap((scope) => scope.references);
    const variables = new Map(references.map(({ identifier, resolved }) => [identifier, resolved]));
    const pathOf = createPaths((node) => variables.get(node));
    const check = (node, path) => {
      const message = path === null ? undefined : banned.get(path);
      if (message !== undefined) context.report({ node, message });
    };
    const checkUse = (node) => {
      const path = pathOf(node);
      if (path !== null && !isPort(path)) check(node, path);
    };
    return {
      Program() {
        for (const reference of references) if (isUse(reference)) checkUse(reference.identifier);
      },
      ImportSpecifier(node) {
        if (node.importKind === 'type' || node.parent.importKind === 'type') return;
        const path = normalized(importedPath(node, node.parent));
        check(node, path.endsWith('.sleep') ? 'systemClock.sleep' : path);
      },
      MemberExpression(node) {
        checkUse(node);
        if (keyOf(node) === 'waitForTimeout') context.report({ node, message: waiting });
      },
      CallExpression(node) {
        const path = pathOf(node.callee);
        if (path !== null && isPort(path)) check(node, path);
        if (path === 'Date') context.report({ node, message: reading });
      },
      NewExpression(node) {
        if (node.arguments.length === 0 && pathOf(node.callee) === 'Date') context.report({ node, message: reading });
      },
    };
  },
};
