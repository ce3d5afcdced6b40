import type {MachineSize, ModelSelection} from '../../platform/model.ts'
import {MACHINE_SIZES} from '../../platform/model.ts'
import {checkModel, modelIn} from '../../slack/draw/model-inputs.ts'
import {type Entered, listed} from '../../slack/incoming/entered.ts'
import type {Form} from '../../slack/incoming/form.ts'
import {automationTexts} from './automation-texts.ts'
import type {Alias} from '../../store/tables/models.ts'
import type {Schedule} from '../../store/tables/hooks/timetables.ts'
import {readCron, readSchedules} from './cron.ts'

/** What stands in the form of an automation, by the words that are both block and action there. */
export type AutomationEntry = Entered['values']

/** A repository as it was entered; without a branch, the project's own. */
interface RepoEntry {
  repo: string
  branch: string | undefined
}

type TriggerOrder = {type: 'schedule'; cron: string; timezone: string} | {type: 'incoming_webhook'}

/** What is asked for: only what was entered (section 2.11). */
interface AutomationOrder {
  name: string
  prompt: string
  triggers: TriggerOrder[]
  enabled: boolean
  description?: string
  model?: ModelSelection
  machineSize?: MachineSize
  threadMode?: string
  maxRunsPerDay?: number
  organize?: {pin: boolean; folders: string[]; tags: string[]}
}

const words = automationTexts.form
const MAX_SCHEDULES = 10
const MAX_RUNS = 10_000
const REPO = /^[^\s/@]+\/[^\s/@]+(?:@\S+)?$/

export function schedulesIn(values: AutomationEntry): Schedule[] {
  return readSchedules(values.get('cron') ?? '', values.get('zone') ?? '')
}

/** `aliases`: what models are called where it is made. */
export function readAutomation(
  values: AutomationEntry,
  aliases: readonly Alias[],
): AutomationOrder {
  const text = (name: string): string => values.get(name)?.trim() ?? ''
  const model = modelIn(values, aliases)
  const size = MACHINE_SIZES.find((one) => one === text('size'))
  const also = listed(values, 'also')
  const [folders, tags] = [wordsIn(text('folders')), wordsIn(text('tags'))]
  const pin = also.includes('pin')
  const isFiled = pin || folders.length > 0 || tags.length > 0
  return {
    name: text('name'),
    prompt: text('prompt'),
    triggers: triggersIn(values),
    enabled: !also.includes('disabled'),
    ...(text('description') !== '' && {description: text('description')}),
    ...(model !== undefined && {model}),
    ...(size !== undefined && {machineSize: size}),
    ...(text('thread') !== '' && {threadMode: text('thread')}),
    ...(text('perDay') !== '' && {maxRunsPerDay: Number(text('perDay'))}),
    ...(isFiled && {organize: {pin, folders, tags}}),
  }
}

function triggersIn(values: AutomationEntry): TriggerOrder[] {
  const schedules = schedulesIn(values).map(({cron, zone}): TriggerOrder => ({
    type: 'schedule',
    cron,
    timezone: zone,
  }))
  return [...schedules, ...(isCalled(values) ? [{type: 'incoming_webhook' as const}] : [])]
}

/** Whether another program may start it. */
function isCalled(values: AutomationEntry): boolean {
  return values.has('called')
}

/** One a line: `acme/web@main`. */
export function reposIn(values: AutomationEntry): RepoEntry[] {
  return wordsIn(values.get('repos') ?? '').map((word) => {
    const [, repo = word, branch] = /^([^@]+)@(.+)$/.exec(word) ?? []
    return {repo, branch}
  })
}

/** Parted by commas or lines, each once. */
function wordsIn(text: string): string[] {
  const all = text.split(/[,\n]/).map((word) => word.trim())
  return [...new Set(all.filter((word) => word !== ''))]
}

/** What can be told wrong before the platform is asked, by block. */
export function checkAutomation({
  values,
}: Pick<Form, 'values'>): Record<string, string> | undefined {
  const isEmpty = (name: string): boolean => (values.get(name) ?? '').trim() === ''
  const wrong = {
    ...(isEmpty('name') && {name: words.empty}),
    ...(isEmpty('prompt') && {prompt: words.empty}),
    ...wrongSchedules(values),
    ...checkModel(values),
    ...wrongRepos(values),
    ...wrongNumber(values),
  }
  return Object.keys(wrong).length === 0 ? undefined : wrong
}

function wrongRepos(values: AutomationEntry): Record<string, string> {
  const bad = wordsIn(values.get('repos') ?? '').find((word) => !REPO.test(word))
  return bad === undefined ? {} : {repos: words.wrongRepo(bad.slice(0, 80))}
}

function wrongNumber(values: AutomationEntry): Record<string, string> {
  const said = values.get('perDay')?.trim() ?? ''
  const isRight = /^\d{1,5}$/.test(said) && Number(said) > 0 && Number(said) <= MAX_RUNS
  return said === '' || isRight ? {} : {perDay: words.needsNumber}
}

function wrongSchedules(values: AutomationEntry): Record<string, string> {
  const all = schedulesIn(values)
  if (all.length === 0 && !isCalled(values)) return {cron: words.noTrigger}
  if (all.length > MAX_SCHEDULES) return {cron: words.tooMany(MAX_SCHEDULES)}
  const standard = values.get('zone')?.trim() || 'UTC'
  for (const [index, one] of all.entries()) {
    const trouble = scheduleTrouble(one)
    if (trouble === undefined) continue
    const isZone = trouble === words.unknownZone
    const at = all.length > 1 ? words.inLine(index + 1, trouble) : trouble
    return isZone && one.zone === standard ? {zone: trouble} : {cron: at}
  }
  return {}
}

function scheduleTrouble({cron, zone}: Schedule): string | undefined {
  const {fields, wrong, never, unknownZone} = words
  const read = readCron(cron, zone, Date.now())
  if ('nextMs' in read) return undefined
  switch (read.problem) {
    case 'fields':
      return fields
    case 'never':
      return never
    case 'wrong':
      return wrong(read.word.slice(0, 60), read.field)
    case 'zone':
      return unknownZone
    default:
      throw new Error(`Unknown problem: ${JSON.stringify(read satisfies never)}`)
  }
}

/** The platform's names of what the form asks for, and where that stands in it. */
const WIRE_NAMES: readonly (readonly [RegExp, string])[] = [
  [/\btimezone\b/i, 'zone'],
  [/\b(?:cron|triggers?)\b/i, 'cron'],
  [/\b(?:repos|branch)\b/i, 'repos'],
  [/\brunAs(?:Id|Kind)?\b/i, 'runAs'],
  [/\bmaxRunsPerDay\b/i, 'perDay'],
  [/\bmachineSize\b/i, 'size'],
  [/\btags\b/i, 'tags'],
  [/\b(?:folders|organize)\b/i, 'folders'],
  [/\breasoningMode\b/i, 'effort'],
  [/\bmodes\b/i, 'modes'],
  [/\b(?:model|modelId)\b/i, 'model'],
  [/\bthreadMode\b/i, 'thread'],
  [/\bdescription\b/i, 'description'],
  [/\bprompt\b/i, 'prompt'],
]

/** In which input of the form the platform finds something wrong, as far as its words name one; the first that they name. */
export function blockNamedIn(message: string): string | undefined {
  const [first = '', ...others] = message.match(/[\w.]+/g) ?? []
  if (/^name\b/.test(first)) return 'name'
  for (const word of [first, ...others]) {
    const found = WIRE_NAMES.find(([name]) => name.test(word))
    if (found !== undefined) return found[1]
  }
  return undefined
}
