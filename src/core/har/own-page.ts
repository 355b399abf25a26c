import type { NetworkConditions } from '../../model/host/conditions.ts';
import { MARKS, type Mark } from '../../model/network/timeline.ts';
import type { Evaluated, FrameThread, MainThreadSample, WorkerThread } from '../../model/recording/recording.ts';
import type { Rendered, RenderedFont, RenderedPicture, Size } from '../../model/recording/rendered.ts';
import { ROLES } from '../../model/result/result.ts';
import * as keep from '../har-codec.ts';
import { BOX } from '../rendering/page-timings.ts';
import { POLICY, VERDICT } from './own-policy.ts';

const MARK = keep.object<Mark>({
  name: keep.oneOf(MARKS),
  at: keep.moment,
  'since?': keep.moment,
  'loaderId?': keep.plain,
  'detail?': keep.text,
  'url?': keep.url,
  'box?': BOX,
});

/** Readings of the clocks of a thread, wall and processor. */
const SAMPLES = keep.or(
  keep.listOf(keep.object<MainThreadSample>({ at: keep.moment, taskTime: keep.duration, 'cpuTime?': keep.duration })),
  [],
);

const PIXELS = keep.object<Size>({ width: keep.count, height: keep.count });
const SIZE: keep.Codec<Size> = {
  ...PIXELS,
  read(value) {
    const pixels = PIXELS.read(value);
    return pixels && pixels.width * pixels.height > 0 ? pixels : undefined;
  },
};
const PICTURE = keep.object<RenderedPicture>({ url: keep.url, natural: SIZE, shown: SIZE });
const FONT = keep.object<RenderedFont>({ 'url?': keep.url, family: keep.text, display: keep.plain });

/** What Quiesce writes of a navigation beside the standard fields and the timings (core/rendering/page-timings.ts). */
export const PAGE = keep.fieldsOf({
  '_url?': keep.url,
  '_finalUrl?': keep.url,
  '_userAgent?': keep.plain,
  /** The slower network that it was to have. */
  '_network?': keep.object<NetworkConditions>({
    name: keep.plain,
    latency: keep.count,
    'download?': keep.count,
    'upload?': keep.count,
  }),
  /** The step after a load that was recorded, by its name. */
  '_stepName?': keep.text,
  /** Milliseconds since the Unix epoch: what 0 is in every other time. */
  '_navigationStart?': keep.finite,
  '_observedUntil?': keep.moment,
  '_marks?': keep.listOf(MARK),
  '_announcedHops?': keep.finite,
  '_mainThread?': SAMPLES,
  '_frameThreads?': keep.or(keep.listOf(keep.object<FrameThread>({ frameId: keep.plain, samples: SAMPLES })), []),
  '_workerThreads?': keep.or(keep.listOf(keep.object<WorkerThread>({ samples: SAMPLES })), []),
  /** Sizes of the pictures, and how fonts are displayed, at the end. */
  '_rendered?': keep.object<Rendered>({
    pictures: keep.or(keep.listOf(PICTURE), []),
    fonts: keep.or(keep.listOf(FONT), []),
  }),
  /** The numbers that the user's expressions gave at the end. */
  '_evaluated?': keep.listOf(keep.object<Evaluated>({ expression: keep.text, value: keep.finite })),
  /** What the run was for. */
  '_role?': keep.oneOf(ROLES),
  '_policy?': POLICY,
  /** The requests that are background. */
  '_verdicts?': keep.listOf(VERDICT),
});
