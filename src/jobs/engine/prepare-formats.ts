import { prepareValidator } from '../../core/har/validate.ts';
import { fileFormats, HAR, type ReportFormat } from '../../reporters/formats.ts';

/** Reads and compiles the code of formats before it is needed: between two loads it would cost time. */
export async function prepareFormats(formats: readonly ReportFormat[]): Promise<void> {
  await Promise.all(fileFormats.map(({ format, load }) => formats.includes(format) && load()));
  if (formats.includes(HAR.format)) prepareValidator();
}
