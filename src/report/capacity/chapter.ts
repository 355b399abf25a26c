import type { CapacityResult } from '../../model/capacity.ts';
import type { Detail, Part } from '../parts.ts';

/** What a document says of one subject of a capacity; nothing where there is nothing to say. */
export type CapacityChapter = (result: CapacityResult, detail: Detail) => readonly Part[];
