import { expect, test } from 'vitest';
import { k6Script } from '../../../src/core/capacity/k6-script.ts';

test('nothing that comes from outside is code in the script', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what an attacker would write
  const evil = "'; throw 1; //`${x}`\u2028";
  const script = k6Script(
    {
      targets: [{ url: `http://127.0.0.1/?q=${evil}`, weight: 1, headers: [{ name: 'X-Evil', value: evil }] }],
      method: 'POST',
      body: evil,
      timeout: 1000,
      connections: 5,
      most: 10,
    },
    { warmUp: 1000, measured: 5000 },
    '/tmp/summary.json',
  );
  expect(script).not.toContain('\u2028');
  const [, settings = ''] = /^const plan = (\{.*?^\});$/ms.exec(script) ?? [];
  const turns = [{ url: expect.any(String), params: { headers: { 'X-Evil': evil } } }];
  expect(JSON.parse(settings)).toMatchObject({ body: evil, most: 10, turns });
  const [, options = ''] = /^export const options = (\{.*?^\});$/ms.exec(script) ?? [];
  expect(JSON.parse(options)).toMatchObject({
    scenarios: { load: { executor: 'constant-vus', vus: 5, duration: '6000ms' } },
  });
});
