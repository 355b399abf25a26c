import type { CapacityResult } from '../capacity.ts';
import type { ComparePagesResult, CompareResult } from '../compare/comparison.ts';
import type { DoctorResult } from '../host/doctor.ts';
import type { TrendResult } from '../trend.ts';
import type { AuditResult } from './result.ts';

/** Whatever Quiesce writes as JSON, told apart by its `kind`. */
export type StoredResult =
  | AuditResult
  | CapacityResult
  | ComparePagesResult
  | CompareResult
  | DoctorResult
  | TrendResult;
