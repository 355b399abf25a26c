import { otherBuild } from '../../core/changes/other-build.ts';
import type { PageDifference } from '../../model/compare/comparison.ts';
import type { FailureKind, LoadShare, PageDifferenceFact } from '../../model/compare/page-difference.ts';
import { lateContentInWords } from '../completion/late-content.ts';
import { waitingForInWords } from '../completion/waiting-for.ts';
import { formatCount, joined } from '../text/format.ts';
import { listNames } from '../text/names.ts';

/** Longer titles are cut. */
const LONGEST_TITLE = 60;

/** Endpoints that a sentence can hold. */
const NAMED_ENDPOINTS = 4;

/** Failures in words that a list of loads can hold; the rest are told by their code. */
const FAILURES: Readonly<Record<string, string>> = {
  'host-not-found': 'no such host',
  'connection-refused': 'connection refused',
  'connection-failed': 'the connection broke',
  'tls-invalid': 'the certificate is not valid',
  'not-a-page': 'the response was not a page',
  'redirect-loop': 'redirect loop',
  'no-answer': 'no response in time',
  truncated: 'the document was cut off',
  'page-crashed': 'the page crashed',
  'page-not-opened': 'the browser opened no page in time',
  'browser-died': 'the browser crashed',
  'browser-lost': 'the connection to the browser broke',
};

/** A difference of two pages as a result holds it: a sentence with what it means for the comparison, code and figures. */
export function pageDifferenceInWords(fact: PageDifferenceFact): PageDifference {
  const { code, facts } = fact;
  return { code, message: messageOf(fact), facts };
}

function messageOf({ code, facts }: PageDifferenceFact): string {
  switch (code) {
    case 'status': {
      const { build, loads, failures } = facts;
      return `The ${build} could not be loaded (${allOf(loads)} failed${reasons(failures)}), so there is nothing to compare the ${otherBuild(build)} with.`;
    }
    case 'failures': {
      const { build, here, there, failures } = facts;
      const other = otherBuild(build);
      const elsewhere = there.n === 0 ? `the ${other} in none` : `the ${other} in ${shareOf(there)}`;
      return `The ${build} failed in ${here.n} of ${formatCount(here.of, 'load')}${reasons(failures)}; ${elsewhere}. The times of the successful loads say nothing about the failed ones.`;
    }
    case 'final-url':
      return `The builds ended on different pages: the base at ${facts.base}, the candidate at ${facts.candidate}. The figures compare two different pages.`;
    case 'title':
      return `The pages have different titles: ${quoted(facts.base)} in the base, ${quoted(facts.candidate)} in the candidate. Check that both show the same page.`;
    case 'blank':
      return `The ${facts.build} is blank: nothing was painted in ${allOf(facts.loads)}, unlike in the ${otherBuild(facts.build)}. An empty page is fast, but not better.`;
    case 'never-complete': {
      const { build, here, there, url, waitingFor } = facts;
      const waiting = listNames(waitingFor.map((each) => waitingForInWords(each, url)));
      const forWhat = waitingFor.length > 0 ? `, waiting for ${waiting}` : '';
      const other = otherBuild(build);
      const elsewhere =
        there.n === 0 ? `The ${other} always was complete` : `The ${other} was not complete in ${shareOf(there)}`;
      return `The ${build} was never complete in ${here.n} of ${formatCount(here.of, 'load')}${forWhat}. ${elsewhere}. Those loads do not count for page complete.`;
    }
    case 'late-content': {
      const { build, url, ...late } = facts;
      return `The ${build} shows content after page complete, and the ${otherBuild(build)} does not: ${lateContentInWords(late, url)}. It is not part of page complete; with --late-content include it is.`;
    }
    case 'background': {
      const sentences = (['candidate', 'base'] as const).flatMap((build) => {
        const only = (facts.endpoints ?? []).filter((each) => each.build === build);
        if (only.length === 0) return [];
        const names = joined(
          only.map(({ kind, endpoint }) => `${kind} ${pathOf(endpoint)}`),
          NAMED_ENDPOINTS,
        );
        return [`${build === 'candidate' ? 'New background traffic' : 'Background traffic that is gone'}: ${names}.`];
      });
      return `${sentences.join(' ')} It is not counted in the times.`;
    }
  }
}

/** "GET https://shop.test/api/stock?t=*" as "/api/stock"; of another host with that. */
function pathOf(endpoint: string): string {
  const address = endpoint.replace(/^\S+ /, '').replace(/\?.*$/s, '');
  const path = address.replace(/^[a-z][\w+.-]*:\/\/[^/]*/i, '');
  return path === '' || path === '/' ? address : path;
}

const shareOf = ({ n, of }: LoadShare): string => `${n} of ${of}`;

function reasons(failures: readonly FailureKind[]): string {
  const texts = failures.map(({ code, status }) =>
    status === undefined ? (FAILURES[code] ?? code) : `HTTP ${status}`,
  );
  return texts.length === 0 ? '' : `: ${texts.join(', ')}`;
}

const allOf = (loads: number): string => (loads === 1 ? 'its only load' : `all of its ${loads} loads`);

function quoted(title: string): string {
  if (title === '') return 'none';
  return `“${title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1)}…` : title}”`;
}
