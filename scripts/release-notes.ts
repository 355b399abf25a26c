/**
 * `node scripts/release-notes.ts v1.2.3`: prints the section of CHANGELOG.md for a version that is to be released. Fails
 * when package.json names another version, or the changelog has nothing of this one.
 */
import { readFileSync } from 'node:fs';

/** The text below `## [1.2.3] - 2026-01-31`, up to the next version. */
export function sectionFor(version: string, changelog: string): string | undefined {
  const sections = changelog.split(/^(?=## )/m);
  const section = sections.find((each) => each.startsWith(`## [${version}]`) || each.startsWith(`## ${version}\n`));
  // The links of headings stand at the end of the file.
  return (
    section
      ?.replace(/^## .*\n/, '')
      .replace(/^\[[^\]]+\]: .*\n?/gm, '')
      .trim() || undefined
  );
}

/** What is to be said of a release, or why it cannot be released. */
export function releaseNotes(
  tag: string,
  packageJson: string,
  changelog: string,
): { readonly notes: string } | { readonly problem: string } {
  const { version } = JSON.parse(packageJson) as { version: string };
  if (tag !== `v${version}`) return { problem: `package.json has version ${version}, and the tag is ${tag}.` };
  const notes = sectionFor(version, changelog);
  return notes === undefined
    ? { problem: `CHANGELOG.md has no section "## [${version}]", or an empty one.` }
    : { notes };
}

if (import.meta.main) {
  const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
  const outcome = releaseNotes(process.argv[2] ?? '', read('package.json'), read('CHANGELOG.md'));
  if ('notes' in outcome) process.stdout.write(`${outcome.notes}\n`);
  else {
    process.stderr.write(`${outcome.problem}\n`);
    process.exitCode = 1;
  }
}
