import type { Page } from 'playwright-core';

/** A fault in one line, by the part of the browser that noticed it. */
type Report = (line: string) => void;

/**
 * Reports what goes wrong on a page: errors of scripts and of the console, requests that failed, were refused or went to
 * another origin. Firefox counts a violation of the Content-Security-Policy among the errors of scripts.
 */
export function listenForFaults(page: Page, origin: string, report: Report): void {
  page.on('pageerror', (error) => report(`script: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (!message.text().startsWith(toldByRequest)) report(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) report(`elsewhere: ${request.url()}`);
  });
  page.on('response', (response) => {
    const request = response.request();
    // Tests look at pages with such a status themselves.
    const isPage = request.isNavigationRequest() && request.frame() === page.mainFrame();
    if (response.status() >= 400 && !isPage)
      report(`answered ${response.status()}: ${request.method()} ${request.url()}`);
  });
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    if (!ended.has(why)) report(`failed: ${request.method()} ${request.url()}: ${why}`);
  });
}

/** Only Chromium writes into the console what is heard of each request anyway. */
const toldByRequest = 'Failed to load resource: ';

/** Requests that the page itself ended, or that ended with it, in the words of Chromium and of Firefox. */
const ended: ReadonlySet<string> = new Set(['net::ERR_ABORTED', 'NS_BINDING_ABORTED']);
