import {modelRejected, paidFeatureUnavailable} from '../edge/errors.ts'
import type {Feature} from '../../../src/platform/contract/refusals.ts'
import type {ModelSeed, Seed} from '../seed/seed.ts'

/** What the organization's plan offers. */
export interface Plan {
  readonly models: readonly ModelSeed[]
  readonly defaultModelId: string
  /** Refuses with 402 a feature that the plan does not have. Section 7. */
  require(feature: Feature): void
  /**
   * Refuses a model that cannot be used right now, and with `known` one that the plan does not have. Section 7.
   */
  checkModel(modelId: string, strictness: 'known' | 'any'): void
}

export function createPlan({models, unavailableFeatures}: Seed): Plan {
  return {
    models,
    defaultModelId: models[0]?.modelId ?? '',
    require: (feature) => {
      if (unavailableFeatures.includes(feature)) throw paidFeatureUnavailable(feature)
    },
    checkModel: (modelId, strictness) => checkModel(models, modelId, strictness),
  }
}

function checkModel(
  models: readonly ModelSeed[],
  modelId: string,
  strictness: 'known' | 'any',
): void {
  const model = models.find((each) => each.modelId === modelId)
  const isTaken = model === undefined ? strictness === 'any' : model.refused === undefined
  if (isTaken) return
  const candidates = models
    .filter(({refused}) => refused === undefined)
    .map(({modelId: entryId, name, billingLabel}) => ({entryId, name, billingLabel}))
  const message =
    model === undefined
      ? `There is no model ${modelId}.`
      : `The model ${model.name} cannot be used right now.`
  throw modelRejected({message, candidates, modelId, ...model?.refused})
}
