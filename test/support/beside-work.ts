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
  | ('hookId' | 'workNoteId' | 'channelNoteId' | 'rule' | 'alertId' | 'alertTs')
>

/** A rule that is on, and a message of an app that it asks about. */
export async function seedRule(
  store: Pick<Store, 'rules' | 'alerts'>,
  {user, ...at}: {team: string; channel: string; ts: string; user: string},
): Promise<{rule: string; alertId: string}> {
  const {team, channel, ts} = at
  const fields = {
    ...{name: 'Alerts', app: 'A0SENTRY', appName: 'Sentry', pattern: '', does: 'ask' as const},
    ...{task: 'look', dedupeKey: undefined, windowMinutes: 60, perHour: 5, perDay: 20},
    ...{quiet: undefined, person: user},
  }
  // An id has no dot: in buttons the rule's own mark stands behind one.
  const ruleId = `rule-${team}-${channel}-${ts.replace('.', '')}`
  const made = await store.rules.add(ruleId, {team, channel}, fields, {...{user, nowMs: 1}})
  if (made === 'full') throw new Error('There is no room for a rule.')
  const turned = await store.rules.turn(made.id, true, {user, nowMs: 2, sinceMs: 1})
  const rule = turned.outcome === 'done' ? turned.rule : made
  const mark = {id: rule.id, name: rule.name, person: user}
  const alert = await store.alerts.decide(at, {
    ...{rule, keyHash: 'k', nowMs: Date.now(), user: 'nobody'},
    judge: () => 'ask',
    isAbout: () => false,
    wish: {rule: mark, task: 'look', values: {}, app: 'Sentry', text: 'it broke'},
    toRow: (id) => ({key: id, team, lane: id, body: '{}'}),
  })
  if (alert === 'stale') throw new Error('The rule has changed.')
  return {rule: `${rule.id}.${rule.changedAtMs.toString(36)}`, alertId: alert.id}
}

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
  const alertTs = `${wishThread.split('.')[0] ?? ''}.000900`
  const ofRule = await seedRule(store, {team, channel, ts: alertTs, user: starter})
  // Its question stands already, where nobody looks: what others do must not bring it there.
  await store.announcements.move(
    ofRule.alertId,
    'placed',
    `${wishThread.split('.')[0] ?? ''}.000901`,
  )
  return {...ids, ...noteIds, ...ofRule, alertTs, taskId: `task-${key}`, announcementId, hookId}
}
