import husky from 'husky';

/**
 * `npm run hooks`: from now on git runs .husky/pre-commit before each commit of this clone. Nothing else sets it up, so
 * that no other command changes a clone's configuration.
 */
const fault = husky();
if (fault !== '') {
  console.error(`the hooks are not set up: ${fault}`);
  process.exitCode = 1;
}
