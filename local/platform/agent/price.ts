import type {Cost} from '../usage/usage.ts'
import type {Turn} from './script.ts'

type Price = Omit<Cost, 'threadId' | 'taskId' | 'modelId'>

const IMAGE_CREDITS = 40
const IMAGE_ENDPOINT = 'images/standard'

/** What one turn costs: for the model, for its images and for the machine. Section 2.3. */
export function priceOf({steps}: Turn): Price {
  const fragments = steps.flatMap((step) => ('fragments' in step ? step.fragments : []))
  const images = steps.flatMap((step) => (step.kind === 'say' ? (step.images ?? []) : []))
  const tools = steps.filter(({kind}) => kind === 'tool')
  return {
    llmCredits: 20 + fragments.length,
    imageCredits: IMAGE_CREDITS * images.length,
    vmCredits: 3 * tools.length,
    inputTokens: 1000 + 200 * tools.length,
    outputTokens: 4 * fragments.length,
    imageEndpoint: images.length === 0 ? null : IMAGE_ENDPOINT,
  }
}
