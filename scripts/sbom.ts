/**
 * `node scripts/sbom.ts`: prints the list of all packages that come with Quiesce (SBOM, CycloneDX), as package-lock.json has
 * them. Nothing is fetched. Not `npm sbom --omit dev`: that leaves out what the tests need as well, such as yaml.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The SBOM as JSON. */
export function sbom(): string {
  const parent = mkdtempSync(join(tmpdir(), 'quiesce-sbom-'));
  try {
    // npm names the whole by its folder.
    const folder = join(parent, 'quiesce');
    mkdirSync(folder);
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(ROOT, file), join(folder, file));
    const npm = (...words: readonly string[]): string =>
      execFileSync('npm', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    npm('pkg', 'delete', 'devDependencies');
    // Takes what only they need out of the lock file.
    npm('install', '--package-lock-only', '--ignore-scripts', '--offline', '--no-audit', '--no-fund');
    return npm('sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application');
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

if (import.meta.main) process.stdout.write(sbom());
