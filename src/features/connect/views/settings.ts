import type {Usage} from '../../../agents/limits.ts'
import type {Effective, Source} from '../../../agents/channel-settings.ts'
import type {Settings} from '../../../store/tables/channels/bindings.ts'
import type {StoredConnection} from '../../../store/tables/platform-keys.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {inBold, oneLine} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import {type Message, button, section} from '../../../slack/draw/blocks.ts'
import {keyName} from '../../../slack/texts.ts'
import {connectTexts} from '../texts.ts'

const words = connectTexts.channel
const MAX_VALUE = 200
/** Slack shows so many people in a line. */
const MAX_PEOPLE = 30

/** What holds in a channel, and where each of it comes from, for one person. */
export function drawSettings({
  effective,
  connection,
  project,
  usage,
  captain,
  mayChange,
}: {
  effective: Effective
  connection: StoredConnection | undefined
  /** Its name. */
  project: string | undefined
  usage: readonly Usage[]
  /** Whose home the channel is. */
  captain?: string | undefined
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
    line(words.model, [shown(values.modelId) ?? words.standard, from('modelId')]),
    line(words.size, [shown(values.machineSize) ?? words.standard, from('machineSize')]),
    line(words.followUps, [
      values.followUps === 'mention' ? words.mention : words.everyone,
      from('followUps'),
    ]),
    line(words.noise, [words.noises[values.noise], from('noise')]),
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
      return allowed.users
        .slice(0, MAX_PEOPLE)
        .map((user) => `<@${user}>`)
        .join(', ')
    default:
      throw new Error(`Unknown choice: ${JSON.stringify(allowed satisfies never)}`)
  }
}

function line(label: string, facts: readonly string[]): string {
  return `*${label}:* ${facts.join(' · ')}`
}

function sourceText(source: Source): string {
  return `_${words.sources[source]}_`
}

function shown(value: string | undefined): string | undefined {
  return value === undefined ? undefined : escapeMrkdwn(oneLine(value, MAX_VALUE))
}
