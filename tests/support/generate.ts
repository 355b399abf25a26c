import { generate } from '../../scripts/generate.ts';

export const setup = generate;
