import type { Browser, Page } from 'playwright-core';
import { firefox } from 'playwright-core';

/**
 * Debian's own Firefox, driven by Playwright over WebDriver BiDi (docs/adr/0045): the same pages, locators and keys as in
 * Chromium. What BiDi of this Firefox lacks is done in the browser's own window, which --remote-allow-system-access opens.
 */

type Parameters = Readonly<Record<string, unknown>>;

interface Command {
  readonly id: number;
  readonly method: string;
  readonly params: Parameters;
}

/** Playwright's own side of a browser, as far as it is used here; it is not published. */
interface Inner {
  readonly _connection: { rawSend(command: Command): void };
  readonly _browserSession: { send(method: string, params: Parameters): Promise<unknown> };
}
interface Published {
  readonly _connection: { toImpl(published: unknown): unknown };
}
const inner = (browser: Browser, published: unknown): unknown =>
  (browser as unknown as Published)._connection.toImpl(published);

const preferences = {
  // Only addresses can be reached, whoever asks: the browser itself reports to nobody and updates nothing.
  'network.dns.disabled': true,
  'network.trr.mode': 5,
  // Firefox 153 dies when Playwright reads such an attribute after axe-core has (a null pointer behind an Xray wrapper).
  'accessibility.ARIAElementReflection.enabled': false,
};

/** @param executablePath of Debian's firefox-esr, 153 or later */
export async function launchFirefox(executablePath: string): Promise<Browser> {
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath,
    headless: true,
    args: ['--remote-allow-system-access'],
    firefoxUserPrefs: preferences,
  });
  await inOwnWindow(browser, keepColourSchemes);
  const { _connection: wire } = inner(browser, browser) as Inner;
  const target = { context: await ownWindow(browser) };
  const send = wire.rawSend.bind(wire);
  wire.rawSend = (command) => {
    const expression = substitutes[command.method]?.(command.params);
    if (expression === undefined) send(command);
    else send({ id: command.id, method: 'script.evaluate', params: { expression, target, awaitPromise: false } });
  };
  return browser;
}

/** Scripts of pages do not run in this tab from now on; what Playwright evaluates in a world of its own does. */
export async function forbidScript(browser: Browser, page: Page): Promise<void> {
  const { _id: id } = (inner(browser, page) as { mainFrame(): { readonly _id: string } }).mainFrame();
  await inOwnWindow(browser, `${contextOf(id)}.allowJavascript = false`);
}

interface Tree {
  readonly contexts: readonly { readonly context: string }[];
}

async function ownWindow(browser: Browser): Promise<string> {
  const { _browserSession: session } = inner(browser, browser) as Inner;
  const { contexts } = (await session.send('browsingContext.getTree', { 'moz:scope': 'chrome' })) as Tree;
  if (contexts[0] === undefined) throw new Error('Firefox shows no window of its own');
  return contexts[0].context;
}

interface Evaluated {
  readonly type: string;
  readonly exceptionDetails?: { readonly text: string };
}

async function inOwnWindow(browser: Browser, expression: string): Promise<void> {
  const { _browserSession: session } = inner(browser, browser) as Inner;
  const target = { context: await ownWindow(browser) };
  const answer = (await session.send('script.evaluate', { expression, target, awaitPromise: false })) as Evaluated;
  if (answer.type !== 'success') throw new Error(`in the window of Firefox: ${answer.exceptionDetails?.text}`);
}

/** A page that isolates itself (Cross-Origin-Opener-Policy) is shown in a new context, which forgets the scheme. */
const keepColourSchemes = `
  globalThis.colourSchemes = new Map();
  Services.obs.addObserver((context) => {
    const scheme = colourSchemes.get(context.browserId);
    if (scheme && !context.parent) context.prefersColorSchemeOverride = scheme;
  }, 'browsing-context-attached');`;

const contextOf = (id: string) =>
  `ChromeUtils.importESModule('chrome://remote/content/shared/NavigableManager.sys.mjs')
    .NavigableManager.getBrowsingContextById(${JSON.stringify(id)}).top`;

const prefer = (id: string, scheme: string) => `{
  const context = ${contextOf(id)};
  colourSchemes.set(context.browserId, '${scheme}');
  context.prefersColorSchemeOverride = '${scheme}';
}`;

interface Media {
  readonly features: { readonly 'prefers-color-scheme'?: 'light' | 'dark' | null };
  readonly contexts?: readonly string[];
}

/** Commands that Playwright sends and Firefox does not know, as expressions for its own window; undefined: it knows. */
const substitutes: Readonly<Record<string, (params: Parameters) => string | undefined>> = {
  'emulation.setMediaFeaturesOverride': (params) => {
    const { features, contexts = [] } = params as unknown as Media;
    const scheme = features['prefers-color-scheme'] ?? 'none';
    return contexts.map((id) => prefer(id, scheme)).join('\n') || 'null';
  },
  'permissions.setPermission': (params) => {
    const { name } = params.descriptor as { readonly name: string };
    return name.startsWith('clipboard-')
      ? "Services.prefs.setBoolPref('dom.events.testing.asyncClipboard', true)"
      : undefined;
  },
};
