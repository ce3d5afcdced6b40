import {paidFeatureUnavailable} from '../edge/errors.ts'
import type {Feature, ModelSeed, Seed} from '../seed/seed.ts'

/** What the organization's plan offers. */
export interface Plan {
  readonly models: readonly ModelSeed[]
  readonly defaultModelId: string
  /** Refuses with 402 a feature that the plan does not have. Section 7. */
  require(feature: Feature): void
}

export function createPlan({models, unavailableFeatures}: Seed): Plan {
  return {
    models,
    defaultModelId: models[0]?.modelId ?? '',
    require: (feature) => {
      if (unavailableFeatures.includes(feature)) throw paidFeatureUnavailable(feature)
    },
  }
}
