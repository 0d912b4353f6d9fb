/** Jest transform: types are stripped by Node itself, exactly as when the program runs. Positions stay, no maps. */
import { stripTypeScriptTypes } from 'node:module';

export default { process: (source) => ({ code: stripTypeScriptTypes(source) }) };
