import type {Automation} from '../../../platform/model.ts'
import {MODES} from '../../../platform/model.ts'
import {type Message, section, toQuote} from '../../../slack/draw/blocks.ts'
import {code, inBold, moment, oneLine, shorten} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import {automationTexts} from '../automation-texts.ts'
import type {Run} from '../../../store/tables/hooks/runs.ts'
import {readCron} from '../cron.ts'
import {unmarkedPrompt} from '../runs/run-reference.ts'
import {runButtons} from './run-buttons.ts'
import {type AutomationHere, buttonsOf, automationName} from './automations.ts'
import {reasonText, stateText, triggerText} from './automations.ts'

const words = automationTexts.facts
const MAX_WORD = 120
const MAX_LISTED = 20
const MAX_PROMPT = 2000

interface Details {
  automation: AutomationHere
  /** Whom it runs as, by name; `undefined`: nobody tells. */
  runAs: string | undefined
  mayChange: boolean
  nowMs: number
  /** Its work, as far as it was begun here and found. */
  runs: readonly Run[]
  webUrl: string | undefined
}

function runLine({title, begunAtMs}: Run): string {
  return words.run(inBold(title ?? words.untitled, MAX_WORD), moment(begunAtMs))
}

/** All that the platform says of an automation, a line for each field that is set (section 2.11). */
export function drawAutomationDetails(details: Details): Message {
  const {automation, mayChange, nowMs, runs, webUrl} = details
  const head = `*${automationName(automation)}* · ${stateText({...automation, disabledReason: undefined})}`
  const description = shown(automation.description)
  const facts = [...factsOf(details), ...timesOf(automation)]
  const top = [head, ...(description === '' ? [] : [description]), ...whyOf(automation)].join('\n')
  const followed = automation.isFollowed === true ? [automationTexts.followed] : []
  const middle = [startsText(automation, nowMs), runsText(automation), ...followed, ...facts].join(
    '\n',
  )
  const prompt = unmarkedPrompt(automation.prompt?.trim() ?? '')
  const task =
    prompt === '' ? [] : [`${words.task}\n${toQuote(escapeMrkdwn(shorten(prompt, MAX_PROMPT)))}`]
  const parts = [top, middle, ...task]
  const lines = runs.map((run) => runLine(run))
  return {
    text: [...parts, ...lines].join('\n'),
    blocks: [
      ...parts.map(section),
      ...runs.flatMap((run, index) => [section(lines[index] ?? ''), runButtons(run, {webUrl})]),
      ...(mayChange ? buttonsOf(automation) : []),
    ],
  }
}

function whyOf({enabled, disabledReason}: Automation): string[] {
  if (enabled !== false || !disabledReason) return []
  const known = reasonText(disabledReason)
  return [known === undefined ? words.whyRaw(shown(disabledReason)) : words.why(known)]
}

function startsText({triggers}: Automation, nowMs: number): string {
  if (triggers.length === 0) return words.starts(automationTexts.noTrigger)
  const all = triggers.map((trigger) => {
    const {type, cron, timezone} = trigger
    const read = type === 'schedule' ? readCron(cron ?? '', timezone ?? 'UTC', nowMs) : undefined
    return triggerText(trigger, read !== undefined && 'nextMs' in read ? read.nextMs : undefined)
  })
  return words.starts(all.join(', '))
}

function runsText({runCount, lastTriggeredAt}: Automation): string {
  const lastMs = Date.parse(lastTriggeredAt ?? '')
  const last = Number.isNaN(lastMs) ? words.neverFired : automationTexts.lastRun(moment(lastMs))
  return words.ran(automationTexts.runs(runCount ?? 0), last)
}

function factsOf({automation, runAs}: Details): string[] {
  const {repos, threadMode, singleJamId, machineSize, maxRunsPerDay, chatImpersonation} = automation
  const {runAsKind, runAsId} = automation
  const runner = runAs === undefined ? shown(runAsId) : shown(runAs)
  const kind = shown(runAsKind)
  const who = [runner, kind === '' ? '' : `(${kind})`].filter((part) => part !== '').join(' ')
  return [
    ...modelText(automation),
    ...some(machineSize, (size) => words.size(shown(size))),
    ...(repos.length === 0 ? [] : [words.repos(list(repos.map(repoText)))]),
    ...some(threadMode, (mode) => (mode === 'new' ? words.threadNew : words.thread(shown(mode)))),
    ...some(singleJamId, (id) => words.captain(code(oneLine(id, MAX_WORD)))),
    ...(who === '' ? [] : [words.runAs(who)]),
    ...(maxRunsPerDay === undefined ? [] : [words.perDay(maxRunsPerDay)]),
    ...filedText(automation),
    ...(chatImpersonation === true ? [words.chat] : []),
    ...serversText(automation),
  ]
}

function repoText({repo, branch}: Automation['repos'][number]): string {
  return branch === undefined ? repo : `${repo}@${branch}`
}

function modelText({model}: Automation): string[] {
  if (model === undefined) return []
  const {modelId, reasoningMode, modes} = model
  const on = MODES.filter((mode) => modes?.[mode] === true)
  return [
    [
      words.model(shown(modelId)),
      ...some(reasoningMode, (effort) => words.effort(shown(effort))),
      ...(on.length === 0 ? [] : [words.modes(on.join(', '))]),
    ].join(' · '),
  ]
}

function filedText({organize}: Automation): string[] {
  const {pin, folders = [], tags = []} = organize ?? {}
  const how = [
    ...(pin === true ? [words.pinned] : []),
    ...(folders.length === 0 ? [] : [words.folders(list(folders))]),
    ...(tags.length === 0 ? [] : [words.tags(list(tags))]),
  ]
  return how.length === 0 ? [] : [words.filed(how.join(' · '))]
}

function serversText({mcpOverrides}: Automation): string[] {
  const {enabled_server_keys: on = [], disabled_server_keys: off = []} = mcpOverrides ?? {}
  return on.length + off.length === 0 ? [] : [words.servers(list(on), list(off))]
}

function timesOf({createdAt, updatedAt}: Automation): string[] {
  const [created, changed] = [createdAt, updatedAt].map((at) => Date.parse(at ?? ''))
  const times = [
    ...(created === undefined || Number.isNaN(created) ? [] : [words.created(moment(created))]),
    ...(changed === undefined || Number.isNaN(changed) || changed === created
      ? []
      : [words.changed(moment(changed))]),
  ]
  return times.length === 0 ? [] : [times.join(' · ')]
}

function some(value: string | undefined, draw: (value: string) => string): string[] {
  return value === undefined || value.trim() === '' ? [] : [draw(value)]
}

function list(all: readonly string[]): string {
  const named = all.slice(0, MAX_LISTED).map((one) => code(oneLine(one, MAX_WORD)))
  return [...named, ...(all.length > MAX_LISTED ? ['…'] : [])].join(', ')
}

function shown(text: string | undefined): string {
  return escapeMrkdwn(oneLine((text ?? '').trim(), MAX_WORD))
}
