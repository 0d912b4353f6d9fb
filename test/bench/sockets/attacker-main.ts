import type { AttackName } from '../../support/socket-attacks.ts';
import { startAttack } from '../../support/socket-attacks.ts';
import type { SocketServer } from '../../support/socket-servers.ts';

/** An attacker in a process of its own: opens as many sockets as its parent says, tells it so, and ends with it. */
const [name = '', server = '', count = ''] = process.argv.slice(2);
const attack = startAttack(name as AttackName, JSON.parse(server) as SocketServer);
const batch = 100;
process.on('disconnect', () => process.exit());
for (let opened = 0; opened < Number(count); opened += batch) await attack.open(batch);
process.send?.('open');
// Those that trickle go on.
setInterval(() => void attack.open(0), 1_000);
