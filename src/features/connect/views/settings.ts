import type {Standing} from '../../../agents/budgets/budgets.ts'
import type {Usage} from '../../../agents/budgets/limits.ts'
import {type Effective, type Source, standardWishes} from '../../../agents/channel-settings.ts'
import {settleWishes} from '../../../agents/models/model-choice.ts'
import type {Settings} from '../../../store/tables/channels/bindings.ts'
import type {Choices} from '../../../store/tables/choices.ts'
import type {Alias} from '../../../store/tables/models.ts'
import type {StoredConnection} from '../../../store/tables/platform-keys.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {inBold, oneLine} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import {type Message, button, section} from '../../../slack/draw/blocks.ts'
import {budgetTexts} from '../../../slack/texts/budgets.ts'
import {keyName} from '../../../slack/texts.ts'
import {connectTexts} from '../texts.ts'

const words = connectTexts.channel
const MAX_VALUE = 200
/** Slack shows so many people in a line. */
const MAX_PEOPLE = 30

/** How work starts that its reader begins, where their message does not say. */
interface StartDefaults {
  own: Pick<Choices, 'model' | 'effort' | 'modes' | 'size'>
  aliases: readonly Alias[]
}

/** What its reader has chosen for themselves. */
export interface OwnProject {
  name: string
  how: keyof typeof words.owns
}

/** What holds in a channel, and where each of it comes from, for one person. */
export function drawSettings({
  effective,
  connection,
  project,
  usage,
  budgets,
  captain,
  own,
  model,
  mayChange,
  areLetIn,
}: {
  effective: Effective
  connection: StoredConnection | undefined
  /** Its name. */
  project: string | undefined
  /** Workflows of Workflow Builder. */
  areLetIn: boolean
  usage: readonly Usage[]
  budgets: readonly Standing[]
  /** Whose home the channel is. */
  captain?: string | undefined
  own?: OwnProject | undefined
  model: StartDefaults
  mayChange: 'yes' | 'no'
}): Message {
  const {values, isConnected} = effective
  const {allowed, guests, externals} = values
  const from = (name: keyof Settings): string => sourceText(effective.sources[name])
  const unconnected = [
    whoText(allowed),
    words.guests(guests),
    words.externals(externals),
    from('allowed'),
  ]
  const isUnlimited = usage.length === 0
  const lines = [
    words.headline,
    line(words.key, [
      isConnected ? keyText(effective, connection) : words.none,
      ...(isConnected ? [from('connectionId')] : []),
    ]),
    line(words.project, [shown(project) ?? words.projectNamed, from('projectId')]),
    ...(own === undefined ? [] : [line(words.own, [shown(own.name) ?? '', words.owns[own.how]])]),
    ...startLines(effective, model),
    line(words.followUps, [
      values.followUps === 'mention' ? words.mention : words.everyone,
      from('followUps'),
    ]),
    line(words.noise, [words.noises[values.noise], from('noise')]),
    line(words.planFirst, [words.plans(values.planFirst), from('planFirst')]),
    line(words.longReplies, [words.rest[values.longReplies], from('longReplies')]),
    line(words.fixPullRequests, [words.fixes(values.fixPullRequests), from('fixPullRequests')]),
    line(words.workflows, [words.letIn(areLetIn), from('workflows')]),
    line(words.rooms, [words.roomsOpen[values.rooms], from('rooms')]),
    line(words.who, unconnected),
    ...(values.instructions === undefined
      ? []
      : [line(words.instructions, [shown(values.instructions) ?? '', from('instructions')])]),
    ...(captain === undefined
      ? []
      : [
          line(connectTexts.captain, [
            connectTexts.captainSays(inBold(captain, MAX_VALUE)),
            sourceText('channel'),
          ]),
        ]),
    line(words.limits, isUnlimited ? [words.noLimit] : usage.map(words.usage)),
    line(
      words.budgets,
      budgets.length === 0 ? [words.noBudget] : budgets.map(budgetTexts.standing),
    ),
  ]
  const text = lines.join('\n')
  const isRefused = connection?.state === 'refused'
  return {
    text,
    blocks: [
      section(text),
      ...(mayChange === 'no'
        ? []
        : [
            {
              type: 'actions' as const,
              elements: [
                button(ACTIONS.connect, words.change, 'here'),
                ...(isRefused
                  ? [button(ACTIONS.replaceKey, connectTexts.refused.replace, connection.id)]
                  : []),
              ],
            },
          ]),
    ],
  }
}

/** As work starts that its reader begins: the channel goes before them, and they before the workspace. */
function startLines({values, sources}: Effective, {own, aliases}: StartDefaults): string[] {
  const wishes = standardWishes({values, sources}, own)
  const {choice, effort, modes = [], at} = settleWishes(wishes, aliases)
  const from = (index: number, name: keyof Settings): string =>
    sourceText(wishes[index] === own ? 'person' : sources[name])
  const size = wishes.findIndex((wish) => Boolean(wish.size))
  const called = shown(choice?.alias ?? choice?.modelId) ?? words.standard
  const means = choice?.alias === undefined ? [] : [words.ofAlias(shown(choice.modelId) ?? '')]
  const alone = choice === undefined ? [words.needsModel] : []
  const how = (said: string | undefined, index: number, name: keyof Settings): string[] =>
    said === undefined || said === ''
      ? [words.ofModel]
      : [shown(said) ?? '', from(index, index === at.model ? 'modelId' : name), ...alone]
  return [
    line(words.model, [called, ...means, from(at.model, 'modelId')]),
    line(words.effort, how(effort, at.effort, 'effort')),
    line(words.modes, how(modes.join(', '), at.modes, 'modes')),
    line(words.size, [shown(wishes[size]?.size) ?? words.standard, from(size, 'machineSize')]),
  ]
}

function keyText({values}: Effective, connection: StoredConnection | undefined): string {
  if (values.connectionId !== undefined && connection === undefined) return words.none
  const name = inBold(keyName(connection), MAX_VALUE)
  if (connection?.state === 'refused') return `${name} (${words.keyRefused})`
  return connection?.state === 'gone' ? `${name} (${words.keyGone})` : name
}

function whoText(allowed: Effective['values']['allowed']): string {
  switch (allowed.who) {
    case 'everyone':
      return words.whoAll
    case 'group':
      return `<!subteam^${allowed.group}>`
    case 'list':
      return listedPeople(allowed.users)
    default:
      throw new Error(`Unknown choice: ${JSON.stringify(allowed satisfies never)}`)
  }
}

function listedPeople(users: readonly string[]): string {
  const listed = users.slice(0, MAX_PEOPLE).map((user) => `<@${user}>`)
  const more = users.length - listed.length
  return [...listed, ...(more > 0 ? [words.morePeople(more)] : [])].join(', ')
}

function line(label: string, facts: readonly string[]): string {
  return `*${label}:* ${facts.join(' · ')}`
}

function sourceText(source: Source | 'person'): string {
  return `_${words.sources[source]}_`
}

function shown(value: string | undefined): string | undefined {
  return value === undefined ? undefined : escapeMrkdwn(oneLine(value, MAX_VALUE))
}
