import {
  type PlatformError,
  PlatformInvalidRequest,
  PlatformModelRejected,
  PlatformPaidFeature,
  saidIn,
} from '../../platform/errors.ts'
import {MACHINE_SIZES, type OrganizationUser, type Project} from '../../platform/model.ts'
import {MAX_NAME, inBold, reasonLine} from '../../slack/markup/lines.ts'
import {type AutomationEntry, blockNamedIn, reposIn} from './automation-entry.ts'
import {automationTexts} from './automation-texts.ts'

/** Why nothing was created, and in which input of the form; `undefined`: above all of them. */
export interface Trouble {
  text: string
  block: string | undefined
}

const words = automationTexts.trouble
const MAX_CANDIDATES = 8

/** What the platform finds wrong with what was entered; `undefined` for what has nothing to do with that. */
export function troubleOf(error: PlatformError, values: AutomationEntry): Trouble | undefined {
  if (error instanceof PlatformPaidFeature) return featureTrouble(error)
  if (error instanceof PlatformModelRejected) {
    const usable = error.candidates.flatMap(({entryId, name}) => entryId ?? name ?? [])
    const drawn = usable.slice(0, MAX_CANDIDATES).map((one) => inBold(one, MAX_NAME))
    const model = inBold(error.modelId ?? values.get('model') ?? '', MAX_NAME)
    return {text: words.model(model, drawn.join(', ')), block: 'model'}
  }
  if (!(error instanceof PlatformInvalidRequest)) return undefined
  const said = saidIn(error.fields) ?? ''
  const reason = reasonLine(said)
  const text = reason === '' ? words.unsaid : words.refused(reason)
  return {text, block: blockNamedIn(said)}
}

function featureTrouble({feature}: PlatformPaidFeature): Trouble {
  const size = MACHINE_SIZES.find((one) => one === feature)
  if (size !== undefined) return {text: words.size(size), block: 'size'}
  return feature === 'byok'
    ? {text: words.byok, block: 'model'}
    : {text: words.feature, block: undefined}
}

/** The repositories with their branches: where none was named, the one that the project begins from (section 2.9). */
export async function branchesOf(
  values: AutomationEntry,
  readProject: () => Promise<Pick<Project, 'repos'>>,
): Promise<{repos?: {repo: string; branch: string}[]} | Trouble> {
  const entered = reposIn(values)
  if (entered.length === 0) return {}
  const isAsked = entered.some(({branch}) => branch === undefined)
  const known = isAsked ? (await readProject()).repos : []
  const repos: {repo: string; branch: string}[] = []
  for (const {repo, branch} of entered) {
    const usual = known.find(({repoFullName}) => repoFullName === repo)?.baseBranch
    const chosen = branch ?? usual
    if (chosen === undefined) return {text: words.branch(inBold(repo, MAX_NAME)), block: 'repos'}
    repos.push({repo, branch: chosen})
  }
  return {repos}
}

/** Whom it runs as: chosen from a menu, or typed as an e-mail address where there are too many for one. */
export async function memberOf(
  values: AutomationEntry,
  readUsers: () => Promise<readonly OrganizationUser[]>,
): Promise<{runAsKind?: 'human'; runAsId?: string} | Trouble> {
  const said = values.get('runAs')?.trim() ?? ''
  if (said === '') return {}
  if (!said.includes('@')) return {runAsKind: 'human', runAsId: said}
  const wanted = said.toLowerCase()
  const found = (await readUsers()).find(({email}) => email?.toLowerCase() === wanted)
  if (found === undefined) return {text: words.noMember(inBold(said, MAX_NAME)), block: 'runAs'}
  return {runAsKind: 'human', runAsId: found.id}
}
