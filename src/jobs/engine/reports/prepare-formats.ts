import { fileFormats, type ReportFormat } from '../../../reporters/formats.ts';

/** Reads the code of formats before it is needed: between two loads it would cost time. */
export async function prepareFormats(formats: readonly ReportFormat[]): Promise<void> {
  await Promise.all(fileFormats.map(({ format, load }) => formats.includes(format) && load()));
}
