import type { CapacityResult } from './capacity.ts';
import type { ComparePagesResult, CompareResult } from './comparison.ts';
import type { DoctorResult } from './doctor.ts';
import type { AuditResult } from './result.ts';
import type { TrendResult } from './trend.ts';

/** Whatever Quiesce writes as JSON, told apart by its `kind`. */
export type StoredResult =
  | AuditResult
  | CapacityResult
  | ComparePagesResult
  | CompareResult
  | DoctorResult
  | TrendResult;
