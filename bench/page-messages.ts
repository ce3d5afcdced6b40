import type {WebClient} from '@slack/web-api'
import type {AnyBlock} from '@slack/types'
import type {Dice} from '../local/platform/agent/dice.ts'

const words =
  'the build passes when a price is rounded once and every test of the cart stays green so'
const sentence = (dice: Dice, length: number): string =>
  Array.from({length}, () => dice.pick(['price', ...words.split(' ')])).join(' ')

/** Messages of every kind that a bot writes, in turn. */
const kinds: ((dice: Dice) => {text: string; blocks?: AnyBlock[]})[] = [
  (dice) => ({
    text: `*${sentence(dice, 3)}* ${sentence(dice, 30)} \`npm test\` <https://a.test|a link>`,
  }),
  (dice) => {
    const text = `## ${sentence(dice, 4)}\n\n${sentence(dice, 60)}\n\n- one\n- two\n\n\`\`\`ts\n${sentence(dice, 20)}\n\`\`\``
    return {text: 'A report', blocks: [{type: 'markdown', text}]}
  },
  (dice) => ({
    text: 'A card',
    blocks: [
      {type: 'section', text: {type: 'mrkdwn', text: `*${sentence(dice, 4)}* · Done`}},
      {type: 'context', elements: [{type: 'mrkdwn', text: 'web · fast · asked by <@U0JANE>'}]},
      {
        type: 'actions',
        elements: ['Stop', 'Open', 'Details'].map((text) => ({
          type: 'button' as const,
          action_id: text,
          text: {type: 'plain_text', text},
        })),
      },
    ],
  }),
  (dice) => {
    const row = (): string =>
      `| ${sentence(dice, 2)} | ${dice.int(1, 999)} | ${sentence(dice, 4)} |`
    const rows = Array.from({length: 6}, row).join('\n')
    return {
      text: 'A table',
      blocks: [{type: 'markdown', text: `| what | count | note |\n|---|--:|---|\n${rows}`}],
    }
  },
  (dice) => ({
    text: 'A plan',
    blocks: [
      {
        type: 'plan',
        title: sentence(dice, 4),
        tasks: Array.from({length: 4}, (_none, index) => ({
          type: 'task_card' as const,
          task_id: `task-${index}`,
          title: sentence(dice, 5),
          status: dice.pick(['complete', 'complete', 'error']),
        })),
      },
    ],
  }),
]

/** Fills a channel; the answer is the `ts` of its last message. */
export async function fillChannel(
  client: WebClient,
  {channel, count, dice}: {channel: string; count: number; dice: Dice},
): Promise<string> {
  let last = ''
  for (let index = 0; index < count; index++) {
    const draft = kinds[index % kinds.length]?.(dice) ?? {text: 'Nothing'}
    const {ts = ''} = await client.chat.postMessage({channel, ...draft})
    last = ts
  }
  return last
}

/** A message that grows by about a line at each call. */
export type Growing = () => Promise<unknown>

export async function startStream(
  client: WebClient,
  {
    channel,
    threadTs,
    teamId,
    dice,
  }: {channel: string; threadTs: string; teamId: string; dice: Dice},
): Promise<Growing> {
  const {ts = ''} = await client.chat.startStream({
    channel,
    thread_ts: threadTs,
    recipient_team_id: teamId,
    recipient_user_id: 'U0JANE',
    markdown_text: '## A stream\n\n',
  })
  return () => client.chat.appendStream({channel, ts, markdown_text: grownBy(dice)})
}

export async function startEdits(
  client: WebClient,
  {channel, dice}: {channel: string; dice: Dice},
): Promise<Growing> {
  let text = '## An edited message\n\n'
  const {ts = ''} = await client.chat.postMessage({channel, markdown_text: text})
  return () => {
    text += grownBy(dice)
    return client.chat.update({channel, ts, markdown_text: text})
  }
}

function grownBy(dice: Dice): string {
  const end = dice.pick([' ', ' ', '\n\n', '\n- '])
  return `${sentence(dice, 12)} **${sentence(dice, 1)}** \`code\`${end}`
}
