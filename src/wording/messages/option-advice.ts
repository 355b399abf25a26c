/** What to do instead of an option that other tools have and Quiesce has not, by its code. */
const ADVICE = {
  target: 'Give the page as an argument: quiesce audit https://example.com/',
  port: 'The port is a part of the URL: quiesce audit http://localhost:3000/',
  color: 'Set NO_COLOR=1 or FORCE_COLOR=1 in the environment.',
  window: 'The browser always runs without a window. To use a browser that is open, pass --browser-ws <url>.',
  pictures: 'The report always has a film of the page, and the folder evidence/ has its screenshots.',
  interactive: 'Each command measures once and ends.',
} as const satisfies Readonly<Record<string, string>>;

/** The advice of a code, in a sentence. */
export function optionAdvice(code: keyof typeof ADVICE): string {
  return ADVICE[code];
}

/** Another option, as it is to be typed: "--runs <n>". */
export const useInstead = (option: string): string => `Use ${option}.`;
