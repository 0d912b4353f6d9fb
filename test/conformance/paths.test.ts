import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';
import { createEchoServer } from '../support/echo-server.ts';
import { openConnection } from '../support/exchange.ts';
import { directTargets, redirectTargets } from '../support/redirect-urls.ts';

/**
 * A project gets path and query byte for byte: escapes, empty parameters, whatever browsers send. Of targets that browsers do not send, or that edges
 * clean up, exactly those that this edge is known to change are changed. Fails where it decodes or cleans others.
 */

const fixture = useConformance(import.meta.filename, { services: [{ name: 'echo', server: createEchoServer() }] });
const hostname = inZone('www.paths');

it('gets every target as it was sent', async () => {
  const { stage, ca, exceptions } = fixture();
  const changed: string[] = [];
  const connect = () => openConnection({ address: stage.facts.ingressAddress, ca, hostname });
  let connection = await connect();
  for (const target of [...redirectTargets, ...directTargets]) {
    if (!connection.isOpen()) connection = await connect();
    const request = `GET ${target} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;
    // A refusal may close the connection.
    const answer = await connection.say(request, isWhole).catch(String);
    if (!answer.includes(`"target":${JSON.stringify(target)}`)) changed.push(target);
  }
  connection.close();
  expect(changed).toEqual(exceptions.changedTargets ?? []);
}, 60_000);

/** The end of an answer with a length, or in parts. */
const isWhole = (answer: string): boolean => {
  const [head = '', body] = answer.split('\r\n\r\n');
  if (body === undefined) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  return length === undefined ? answer.endsWith('0\r\n\r\n') : body.length >= Number(length);
};
