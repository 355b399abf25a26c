import type { CategoryTimes, MainThreadCategory } from '../../model/main-thread.ts';

/**
 * Which events of a trace begin which kind of work. Events that are not listed are parts of what is around them. Source:
 * Lighthouse, core/lib/tracehouse/task-groups.js; DevTools, models/trace/helpers/TraceEvents and Styles.
 */
const EVENTS: Readonly<Record<Exclude<MainThreadCategory, 'other'>, readonly string[]>> = {
  scriptEvaluation: [
    'EventDispatch',
    'EvaluateScript',
    'v8.evaluateModule',
    'FunctionCall',
    'TimerFire',
    'FireIdleCallback',
    'FireAnimationFrame',
    'RunMicrotasks',
    'V8.Execute',
    'v8.callFunction',
    'XHRReadyStateChange',
    'XHRLoad',
    'v8.run',
  ],
  scriptCompile: [
    'v8.compile',
    'v8.compileModule',
    'v8.produceCache',
    'v8.produceModuleCache',
    'V8.CompileCode',
    'V8.CompileModule',
    'v8.wasm.compiledModule',
    'v8.wasm.streamFromResponseCallback',
  ],
  parseHtml: ['ParseHTML', 'ParseAuthorStyleSheet'],
  styleLayout: [
    'ScheduleStyleRecalculation',
    'UpdateLayoutTree',
    'RecalculateStyles',
    'InvalidateLayout',
    'Layout',
    'IntersectionObserverController::computeIntersections',
  ],
  paint: [
    'Animation',
    'HitTest',
    'PrePaint',
    'PaintSetup',
    'Paint',
    'PaintImage',
    'RasterTask',
    'ScrollLayer',
    'UpdateLayer',
    'UpdateLayerTree',
    'Layerize',
    'Commit',
    'CompositeLayers',
    'Decode Image',
    'ImageDecodeTask',
  ],
  garbageCollection: [
    'GCEvent',
    'MinorGC',
    'MajorGC',
    'BlinkGC.AtomicPhase',
    'BlinkGCMarking',
    'ThreadState::performIdleLazySweep',
    'ThreadState::completeSweep',
  ],
};

const BY_EVENT: ReadonlyMap<string, MainThreadCategory> = new Map(
  Object.entries(EVENTS).flatMap(([category, names]) => names.map((name) => [name, category as MainThreadCategory])),
);

/** What kind of work an event begins; undefined when it is a part of what is around it. */
export function categoryOf(event: string): MainThreadCategory | undefined {
  if (event.startsWith('V8.GC') || event.startsWith('CppGC.')) return 'garbageCollection';
  return BY_EVENT.get(event);
}

/** Adds up times by category. */
export interface CategorySum {
  add(category: MainThreadCategory, ms: number): void;
  readonly ms: number;
  readonly byCategory: CategoryTimes;
}

/** Nothing yet. */
export function createCategorySum(): CategorySum {
  const times = new Map<MainThreadCategory, number>();
  return {
    add(category, ms) {
      if (ms > 0) times.set(category, (times.get(category) ?? 0) + ms);
    },
    get ms() {
      return [...times.values()].reduce((sum, each) => sum + each, 0);
    },
    get byCategory() {
      return Object.fromEntries([...times].toSorted(([, a], [, b]) => b - a));
    },
  };
}
