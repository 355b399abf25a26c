#!/usr/bin/env node
// Old syntax and no static import: an old Node must get far enough to say that it is too old.
(() => {
  var needed = [22, 19];
  var installed = process.versions.node.split('.').map(Number);
  if (installed[0] < needed[0] || (installed[0] === needed[0] && installed[1] < needed[1])) {
    process.stderr.write(
      'quiesce: Node ' +
        process.versions.node +
        ' is too old; ' +
        needed.join('.') +
        ' or newer is needed. Install a current Node (https://nodejs.org/), or put it first on the PATH.\n',
    );
    process.exitCode = 2;
    return;
  }
  // Compiled code is kept in the folder for temporary files: the next start takes a fifth less. NODE_DISABLE_COMPILE_CACHE=1 prevents it.
  process.getBuiltinModule('node:module').enableCompileCache();
  import('../dist/cli/main.js').then(
    (cli) => cli.start(),
    (error) => {
      // Only the entry itself: a missing dependency is another matter.
      var notBuilt =
        error.code === 'ERR_MODULE_NOT_FOUND' && /[\\/]dist[\\/]cli[\\/]main\.js' imported/.test(error.message);
      process.stderr.write(
        notBuilt
          ? 'quiesce: this checkout is not built. Run "npm run build" first.\n'
          : 'quiesce: the installation is damaged (' +
              String(error.message).split('\n')[0] +
              '). Install quiesce again.\n',
      );
      process.exitCode = notBuilt ? 2 : 3;
    },
  );
})();
