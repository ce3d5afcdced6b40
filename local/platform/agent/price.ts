import type {Cost} from '../usage/usage.ts'
import type {Step, Turn} from './script.ts'

type Price = Omit<Cost, 'threadId' | 'taskId' | 'modelId'>

const IMAGE_CREDITS = 40
const IMAGE_ENDPOINT = 'images/standard'

/** What one turn costs: for the model, for its images and for the machine. Section 2.3. */
export function priceOf({steps, credits = 0}: Turn): Price {
  const fragments = steps.flatMap((step) => ('fragments' in step ? step.fragments : []))
  const images = steps.flatMap(imagesOf)
  const tools = steps.filter(({kind}) => kind === 'tool')
  return {
    llmCredits: 20 + fragments.length + credits,
    imageCredits: IMAGE_CREDITS * images.length,
    vmCredits: 3 * tools.length,
    inputTokens: 1000 + 200 * tools.length,
    outputTokens: 4 * fragments.length,
    imageEndpoint: images.length === 0 ? null : IMAGE_ENDPOINT,
  }
}

function imagesOf(step: Step): readonly unknown[] {
  if (step.kind === 'say') return step.images ?? []
  return step.kind === 'post' ? (step.post.pictures ?? []) : []
}
