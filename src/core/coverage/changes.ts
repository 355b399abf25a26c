import type {
  Coverage,
  CoverageChange,
  CoverageChangesFacts,
  CoveredBytes,
  CoveredFile,
} from '../../model/coverage.ts';
import { type NameOf, settledAddresses } from '../changes/settled-addresses.ts';

/** Files that are listed. */
const MAX_FILES = 20;
const NOTHING: CoveredBytes = { bytes: 0, unused: 0 };

/** A build with what its evidence run shows of used code. */
interface CoveredBuild {
  readonly coverage?: Coverage;
  readonly url: string;
  readonly finalUrl?: string;
}

/**
 * How much code of two builds was loaded and not used, and in which files that differs: from one untimed load of each, so
 * it is information and decides nothing. Undefined unless both builds tell.
 */
export function coverageChanges(base: CoveredBuild, candidate: CoveredBuild): CoverageChangesFacts | undefined {
  const [before, after] = [base.coverage, candidate.coverage];
  if (!before || !after) return undefined;
  const [baseNames, candidateNames] = settledAddresses(addressesOf(base), addressesOf(candidate));
  const [was, is] = [filesByKey(before, baseNames), filesByKey(after, candidateNames)];
  const files = [...new Set([...is.keys(), ...was.keys()])]
    // A file that one build lists and the other sums up with others is not news.
    .filter((key) => (was.has(key) || !before.otherFiles) && (is.has(key) || !after.otherFiles))
    .flatMap((key) => fileChange(was.get(key), is.get(key)))
    .filter((change) => change.base.unused !== change.candidate.unused)
    .toSorted((a, b) => sizeOf(b) - sizeOf(a))
    .slice(0, MAX_FILES);
  return {
    scripts: { base: before.scripts, candidate: after.scripts },
    styles: { base: before.styles, candidate: after.styles },
    files,
  };
}

const sizeOf = ({ base, candidate }: CoverageChange): number => Math.abs(candidate.unused - base.unused);

function addressesOf({ coverage, url, finalUrl }: CoveredBuild) {
  return { urls: (coverage?.files ?? []).map((file) => file.url), pageUrl: finalUrl ?? url };
}

/** Files under one name, added up. */
interface NamedFiles extends CoveredBytes {
  readonly name: string;
  readonly file: CoveredFile;
}

function filesByKey({ files }: Coverage, nameOf: NameOf): ReadonlyMap<string, NamedFiles> {
  const named = new Map<string, NamedFiles>();
  for (const file of files) {
    const name = nameOf(file.url);
    const key = `${file.kind} ${file.inline === true} ${name}`;
    const known = named.get(key);
    const { bytes, unused } = known ?? NOTHING;
    named.set(key, { name, file: known?.file ?? file, bytes: bytes + file.bytes, unused: unused + file.unused });
  }
  return named;
}

function fileChange(before: NamedFiles | undefined, after: NamedFiles | undefined): readonly CoverageChange[] {
  const shown = after ?? before;
  if (!shown) return [];
  const { name, file } = shown;
  const sizes = ({ bytes, unused }: CoveredBytes = NOTHING): CoveredBytes => ({ bytes, unused });
  return [
    {
      kind: file.kind,
      name,
      url: file.url,
      ...(file.inline && { inline: true }),
      base: sizes(before),
      candidate: sizes(after),
    },
  ];
}
