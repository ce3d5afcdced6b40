import {EFFORTS, MACHINE_SIZES, MODES, type Project} from '../platform/model.ts'
import {
  type ModelWish,
  type WrongWord,
  namesNone,
  readEffort,
  readModes,
} from './models/model-choice.ts'
import {nearest} from './nearest-word.ts'
import type {StartOptions} from './start-options.ts'

/** What a thread is created with, as far as it was chosen. */
export interface Choice {
  projectId: string
  title?: string
  machineSize?: string
  /** What was said of the model. */
  model: ModelWish
  /** A plan comes first; `undefined`: as holds where it is. */
  plan?: boolean
}

/** A plan alone, before anything is changed. */
const PLAN_WORDS = ['yes', 'no'] as const

/** A value that is not to be had, or not clear. */
export interface Question {
  name: keyof StartOptions
  /** As it was written. */
  wrong: string
  why: 'unknown' | 'several' | 'needs-model' | 'none'
  /** One of few words was meant, and what is offered is like it. */
  isNear?: true
  /** What may be meant, best first; `value` is written in place of the wrong one, empty to leave the option out. */
  offers: {label: string; value: string}[]
}

/**
 * Reads options against what the platform has. `standardProjectId` and `standardModel`, an alias or an id: where nothing
 * else is said, if anything is known.
 */
export function resolve(
  options: StartOptions,
  projects: readonly Project[],
  standardProjectId: string | undefined,
  standardModel?: string,
): Choice | Question {
  const {size, title, plan} = options
  const model = readWish(options, standardModel)
  if ('why' in model) return model
  const question = checkWord('size', size, MACHINE_SIZES) ?? checkWord('plan', plan, PLAN_WORDS)
  if (question !== undefined) return question
  const project = chooseProject(options, projects, standardProjectId)
  if (typeof project !== 'string') return project
  return {
    projectId: project,
    model,
    ...(plan !== undefined && {plan: plan.toLowerCase() === 'yes'}),
    ...(title !== undefined && {title}),
    ...(size !== undefined && {machineSize: size.toLowerCase()}),
  }
}

function readWish(
  {model, effort: effortSaid, modes: modesSaid}: StartOptions,
  standardModel: string | undefined,
): ModelWish | Question {
  const effort = effortSaid === undefined ? undefined : readEffort(effortSaid)
  if (typeof effort === 'object') return askFor(effort, effortSaid ?? '')
  const modes = modesSaid === undefined ? undefined : readModes(modesSaid)
  if (modes !== undefined && !Array.isArray(modes)) return askFor(modes, modesSaid ?? '')
  if (model === undefined ? standardModel === undefined : namesNone(model)) {
    // The platform takes an effort, and modes, only together with a model.
    const lonely = effort !== undefined ? 'effort' : modes !== undefined ? 'modes' : undefined
    if (lonely !== undefined) {
      const offers = [{label: '', value: ''}]
      return {name: lonely, wrong: effortSaid ?? modesSaid ?? '', why: 'needs-model', offers}
    }
  }
  return {
    ...(model !== undefined && {model}),
    ...(effort !== undefined && {effort}),
    ...(modes !== undefined && {modes}),
  }
}

/** The nearest one alone, where there is one; of several modes the others stay as they were said. */
function askFor({name, wrong, near}: WrongWord, said: string): Question {
  const all: readonly string[] = name === 'effort' ? EFFORTS : MODES
  const words = near === undefined ? all : [near]
  const others = said.split(/[\s,+]+/).filter((word) => word !== '' && word !== wrong)
  const offers = words.map((word) => {
    const value = name === 'effort' ? word : [...others, word].join(',')
    return {label: word, value}
  })
  return {name, wrong, why: 'unknown', offers, ...(near !== undefined && {isNear: true as const})}
}

/** Whether projects have to be read to resolve them. */
export function needsProjects({project, repo}: StartOptions): boolean {
  return project !== undefined || repo !== undefined
}

function checkWord(
  name: keyof StartOptions,
  word: string | undefined,
  right: readonly string[],
): Question | undefined {
  if (word === undefined || right.includes(word.toLowerCase())) return undefined
  const offers = right.map((value) => ({label: value, value}))
  return {name, wrong: word, why: 'unknown', offers}
}

function chooseProject(
  {project, repo}: StartOptions,
  projects: readonly Project[],
  standardProjectId: string | undefined,
): string | Question {
  let candidates = projects
  if (project !== undefined) {
    candidates = projectsCalled(project, projects)
    if (candidates.length === 0) {
      const codes = projects.flatMap(({name, code}) => (code === undefined ? [name] : [name, code]))
      const close = nearest(codes, project, codes.length).flatMap((word) =>
        projectsCalled(word, projects),
      )
      return {name: 'project', wrong: project, why: 'unknown', offers: toOffers(close)}
    }
  }
  if (repo !== undefined) {
    const name = toRepo(repo)
    const holders = candidates.filter(({repos}) => repos.some((one) => isCalled(one, name)))
    if (holders.length === 0) {
      const all = candidates.flatMap(({repos}) => repos.map(({repoFullName}) => repoFullName))
      const offers = nearest(all, name).map((value) => ({label: value, value}))
      return {name: 'repo', wrong: repo, why: 'unknown', offers}
    }
    candidates = holders
  }
  if (project === undefined && repo === undefined) {
    if (standardProjectId !== undefined) return standardProjectId
    return {name: 'project', wrong: '', why: 'none', offers: toOffers(projects, MAX_CHOICES)}
  }
  const [only, ...others] = candidates
  const standard = candidates.find(({id}) => id === standardProjectId)
  if (only !== undefined && others.length === 0) return only.id
  if (project === undefined && standard !== undefined) return standard.id
  const wrong = project ?? repo ?? ''
  return {name: 'project', wrong, why: 'several', offers: toOffers(candidates)}
}

/** An id is one project's alone; names and codes are what people say, in any case. */
function projectsCalled(word: string, projects: readonly Project[]): Project[] {
  const byId = projects.find(({id}) => id === word)
  if (byId !== undefined) return [byId]
  const said = word.toLowerCase()
  const isSaid = (name: string | undefined): boolean => name?.toLowerCase() === said
  const named = projects.filter(({name}) => isSaid(name))
  return named.length > 0 ? named : projects.filter(({id, code}) => isSaid(code) || isSaid(id))
}

const MAX_OFFERS = 3
/** Who has more of them has to name one. */
const MAX_CHOICES = 2000

/** By id, which stays theirs whatever they are called. */
function toOffers(projects: readonly Project[], count = MAX_OFFERS): Question['offers'] {
  const offered = [...new Set(projects)].slice(0, count)
  const names = offered.map(({name}) => name)
  return offered.map(({id, name, code}) => {
    const isShared = names.indexOf(name) !== names.lastIndexOf(name)
    return {label: isShared ? `${name} (${code ?? id})` : name, value: id}
  })
}

/** `acme/web`, also of its address. */
export function toRepo(word: string): string {
  return word
    .replace(/^https?:\/\/[^/]+\//, '')
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\.git$/, '')
}

/** Whether a repository has this name, or this one behind its owner's. */
export function isCalled({repoFullName}: {repoFullName: string}, word: string): boolean {
  const [full, said] = [repoFullName.toLowerCase(), word.toLowerCase()]
  return full === said || (!said.includes('/') && full.endsWith(`/${said}`))
}
