import { askUdp } from '../../../dev/dns/ask-udp.ts';
import { encodeQuestion } from '../../../src/dns/wire/dns-message.ts';

const patienceMs = 300;

/** True once the server at port 53 of the address answers a question about the zone's apex, whatever it says. */
export const answersOnce = (address: string, apex: string) => async (): Promise<boolean> => {
  const { bytes } = encodeQuestion({ name: apex, type: 'SOA', recursive: true });
  return (await askUdp(address, bytes, patienceMs)) !== null;
};
