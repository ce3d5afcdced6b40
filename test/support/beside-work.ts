import {Secret} from '../../src/security/secret.ts'
import type {Store} from '../../src/store/store.ts'
import type {Subjects} from './matrix-deeds.ts'

interface Work {
  team: string
  channel: string
  linkId: string
  starter: string
  /** Makes the ids of what stands beside it its own. */
  key: string
  /** The Slack thread of what is asked for besides. */
  wishThread: string
  sendState: 'waiting' | 'unsure'
}

type Beside = Pick<
  Subjects,
  | ('alias' | 'taskId' | 'sendId' | 'pingId' | 'questionId' | 'startId' | 'announcementId')
  | ('hookId' | 'workNoteId' | 'channelNoteId')
>

/** What waits for a link's work, what calls, and what is asked for, told and taken beside it. */
export async function seedBeside(store: Store, work: Work): Promise<Beside> {
  const {team, channel, linkId, starter, key, wishThread, sendState} = work
  const {send} = await store.sends.open(
    {
      ...{linkId, inboxKey: `send-${key}`, messageTs: '1700000000.000900', sender: starter},
      ...{cursor: undefined, toText: (token: string) => `${token}\nwords`},
    },
    1,
  )
  await store.sends.move(send.id, ['open'], sendState, `receipt-${key}`)
  const ping = await store.notifications.add(
    {
      ...{
        linkId,
        key: 'n',
        kind: 'needs-you',
        person: starter,
        words: {question: 'Really?', offers: ['1. Yes', '2. No']},
      },
      remindAtMs: Number.MAX_SAFE_INTEGER,
    },
    1,
  )
  const posted = await store.agentPosts.add(
    {
      ...{linkId, key: 'q', digest: 'd', text: 'Which?', file: undefined},
      question: {options: ['This', 'That'], text: 'Which?', free: true},
    },
    {most: 5, sinceMs: 0},
    1,
  )
  const wish = {
    ...{requestId: `wish-${key}`, channel, slackThread: wishThread, task: 'do it'},
    ...{options: {size: 'huge'}, files: [], forwarded: []},
  }
  const start = await store.starts.open(
    {team, user: starter, requestId: `wish-${key}`, request: wish},
    Date.now(),
  )
  const announcementId = `told-${key}`
  await store.announcements.open(
    {
      ...{id: announcementId, team, channel, threadId: `other-${key}`, connectionId: undefined},
      words: {title: 'Other work'},
    },
    1,
  )
  const {id: hookId} = await store.hooks.add(
    {
      ...{team, channel, name: 'Nightly', automationId: undefined, madeBy: starter},
      ...{requestId: `hook-${key}`, url: new Secret('http://127.0.0.1:9/webhooks/automations/x')},
    },
    1,
  )
  const used = {team, linkId, isLoud: true, limitMicros: 5_000_000, moreMicros: 5_000_000, round: 0}
  const ofWork = {threadId: `thread-${key}`, user: '', channel: ''}
  const workNote = await store.budgetNotes.refuse(
    {...used, budget: 'budgetPerWork', period: '', subject: ofWork},
    1,
  )
  const ofChannel = {threadId: '', user: '', channel}
  const channelNote = await store.budgetNotes.refuse(
    {...used, budget: 'budgetPerChannelDay', period: '2026-01-31', subject: ofChannel},
    1,
  )
  const noteIds = {workNoteId: workNote.id, channelNoteId: channelNote.id}
  const of = {team, connectionId: undefined}
  const name = `best-${key}`
  const meant = {name, modelId: 'gpt-5', effort: undefined, modes: []}
  await store.models.name(of, meant, {user: starter, nowMs: 1, sinceMs: undefined})
  const named = (await store.models.aliases(of)).find((one) => one.name === name)
  const alias = `${named?.id ?? ''}.${(named?.changedAtMs ?? 0).toString(36)}`
  const questionId = posted.outcome === 'added' ? posted.post.id : ''
  const ids = {alias, sendId: send.id, pingId: ping?.id ?? '', questionId, startId: start.id}
  return {...ids, ...noteIds, taskId: `task-${key}`, announcementId, hookId}
}
