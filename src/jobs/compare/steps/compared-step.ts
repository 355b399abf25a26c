import { BUILDS } from '../../../model/compare/build.ts';
import type { StopReason } from '../../../model/compare/comparison.ts';
import type { Gate } from '../../../model/compare/gate.ts';
import { type LeftOut } from '../../../wording/compare/compared-pages.ts';
import { perBuild } from '../builds.ts';
import type { CompareContext } from '../compare-context.ts';
import { type Comparison, isMeasured, sidesOf } from '../comparison.ts';
import { reasonOfAnswer, reasonToGiveUp } from '../measure-blocks.ts';
import { settleBuilds } from '../settle-builds.ts';

/** A step that the script does after the loads of a page: a comparison of its own, of the same loads. */
export class ComparedStep {
  /** As the script calls it. */
  readonly name: string;
  readonly comparison: Comparison;
  readonly #context: CompareContext;

  constructor(name: string, comparison: Comparison, context: CompareContext) {
    this.name = name;
    this.comparison = comparison;
    this.#context = context;
  }

  /** Does it take part in the decision? */
  get decides(): boolean {
    return this.comparison.plan.gates.length > 0 && sidesOf(this.comparison) !== undefined;
  }

  /** Why it is not compared. */
  get leftOut(): LeftOut | undefined {
    const { sides } = this.comparison;
    const build = BUILDS.find((each) => sides[each] !== undefined);
    return build === undefined || sidesOf(this.comparison) ? undefined : { code: 'step-of-one-build', build };
  }

  /** Chooses what decides on it: gates of all steps as far as they are measured in it, and its own. */
  chooseGates(gates: readonly Gate[]): void {
    const { plan } = this.comparison;
    const own = gates.filter(({ step, metric }) =>
      step === undefined ? isMeasured(metric, this.comparison) : step === this.name,
    );
    this.comparison.plan = { ...plan, gates: [...new Set(own.map(({ metric }) => metric))] };
  }

  /** Is there an answer by now, or will there be none? */
  reason(): StopReason | undefined {
    const reason = reasonToGiveUp(this.comparison, this.#context);
    if (reason || this.comparison.blocks.every(({ dropped }) => dropped)) return reason;
    return reasonOfAnswer(this.comparison, this.#context);
  }

  /** Judges all its runs together once there are no more. */
  async settle(): Promise<void> {
    const { steps, writeHar } = this.#context;
    const [base, candidate] = BUILDS.map((build) => steps[build].steps.get(this.name));
    if (!base || !candidate) return;
    const both = { base, candidate };
    const of = { series: perBuild((build) => both[build].runs), endings: perBuild((build) => both[build].endings) };
    await settleBuilds(this.comparison, { ...of, writeHar });
  }
}
