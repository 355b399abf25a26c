import type { Check } from './check.ts';

/** A page with more to read, letters, has a form to sign in beside what it is about. */
const LITTLE_ELSE_LETTERS = 1_000;

/** A page that led elsewhere, where a password is asked for: what was asked for was not measured. */
export const loginPage: Check = ({ recording: { shown, navigation, page } }) => {
  // A step may lead there on purpose.
  if (navigation.step !== undefined || page === undefined) return [];
  if (shown?.asksPassword !== true || shown.letters > LITTLE_ELSE_LETTERS) return [];
  const { url: asked } = navigation;
  const { finalUrl } = page;
  if (placeOf(asked) === placeOf(finalUrl)) return [];
  return [{ code: 'login-page', urls: [finalUrl], facts: { asked, url: finalUrl, isBroken: false } }];
};

/** Where an address leads, without its query. `http` and `https`, and a slash at the end, are no other place. */
function placeOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { host, pathname, hash } = new URL(address);
  return host + pathname.replace(/\/$/, '') + (hash.startsWith('#/') ? hash : '');
}
