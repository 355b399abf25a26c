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
  // Compiled code is kept: the next start takes a fifth less. NODE_DISABLE_COMPILE_CACHE=1 prevents it.
  var compiled = compiledCodeFolder();
  if (compiled !== undefined) process.getBuiltinModule('node:module').enableCompileCache(compiled);
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

  // The folder for compiled code: in the user's own cache folder, the one of src/shell/disk/cache-folder.ts. Node's own choice
  // is a folder for temporary files, which any user can make first, with code in it. Without a folder that is safe from other
  // users, and where a variable decides, it is undefined.
  function compiledCodeFolder() {
    var env = process.env;
    var fs = process.getBuiltinModule('node:fs');
    var path = process.getBuiltinModule('node:path');
    var named = env.XDG_CACHE_HOME && path.isAbsolute(env.XDG_CACHE_HOME);
    if (env.NODE_COMPILE_CACHE || env.NODE_DISABLE_COMPILE_CACHE) return undefined;
    try {
      return (named ? ['quiesce', 'compiled'] : ['.cache', 'quiesce', 'compiled']).reduce(
        (above, name) => {
          var folder = path.join(above, name);
          if (!fs.existsSync(folder)) fs.mkdirSync(folder, 0o700);
          return privateFolder(folder, fs, path);
        },
        privateFolder(
          named ? env.XDG_CACHE_HOME : env.HOME || env.USERPROFILE || process.getBuiltinModule('node:os').homedir(),
          fs,
          path,
        ),
      );
    } catch (_error) {
      return undefined;
    }
  }

  // The folder without links. It throws where another user than root can write to it, or put another one in its place.
  function privateFolder(folder, fs, path) {
    var real = fs.realpathSync(folder);
    var at = real;
    var found;
    // Windows has no such modes: there, a home folder is closed to other users.
    while (process.getuid) {
      found = fs.statSync(at);
      // With the sticky bit, as in /tmp, other users cannot rename or remove what is not theirs.
      if (
        (found.uid !== process.getuid() && found.uid !== 0) ||
        ((found.mode & 0o022) !== 0 && (at === real || (found.mode & 0o1000) === 0))
      ) {
        throw new Error('not private');
      }
      if (at === path.dirname(at)) break;
      at = path.dirname(at);
    }
    return real;
  }
})();
