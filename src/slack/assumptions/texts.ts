import {refusedToken} from '../api/identity.ts'
import type {Verdict} from './finding.ts'

interface Summary {
  channel: string
  at: string
  calls: number
  seconds: number
  thorough: boolean
  counts: Record<Verdict, number>
}

/** What the report says, and what stands in the channel meanwhile. */
export const checkTexts = {
  root: 'Bosun tries what it relies upon in Slack, in this thread alone. It takes all of it away again, within minutes.',
  verdicts: {holds: 'holds', differs: 'differs', untried: 'not tried'} satisfies Record<
    Verdict,
    string
  >,
  refused: (code: string) => `Slack refused it: ${code}`,
  insteadOf: (wanted: string, code: string) =>
    code === 'ok' ? `it was taken, instead of ${wanted}` : `${code} instead of ${wanted}`,
  shape: (fields: readonly string[]) =>
    `the answer lacks what is read from it: ${fields.join(', ')}`,
  tooOften: 'Slack refused it with 429, twice',
  silent: 'Slack gave no answer',
  notOurs: (code: string, hints: readonly string[]) =>
    hints.length > 0 ? `${code}: ${hints.join(', ')}` : code,
  before: 'what comes before it did not work',
  stopped: 'it was stopped',
  late: 'the time was over',
  noReader: 'no person of this workspace is in the channel; name one: --user U…',
  noWitness: 'only one person would see it; name them: --user U…',
  noScope: (scope: string) => `missing_scope: ${scope}`,
  noHost: 'PLATFORM_WEB_URL is not set, or the app has not its domain',
  noOwnLinks: 'Slack explains no link in a message of the app itself',
  noSocket: 'ask for it with --socket, and SLACK_APP_TOKEN set, while no Bosun runs',
  notAlone: (others: number) =>
    `${others} other connection${others === 1 ? '' : 's'} of this app: stop Bosun first, since Slack would give its events to this check`,
  noSlack: 'What answers is not Slack. SLACK_API_URL is where it is asked.',
  wrongToken: refusedToken,
  away: 'Slack does not answer. Is this machine on the network, and may it reach Slack?',
  noChannel: (channel: string) =>
    `There is no channel ${channel} that the app can see. Copy its id from the end of its details in Slack, and invite the app there: /invite @Bosun`,
  notMember: (channel: string) =>
    `The app is not in ${channel}, and so it may not write there. Invite it: /invite @Bosun`,
  archived: (channel: string) => `${channel} is archived. Name a channel that is in use.`,
  noUser: (user: string) =>
    `There is no ${user} here. Copy your member id from your profile in Slack.`,
  noPosting: (code: string) =>
    `Slack does not let the app write in this channel (${code}). Name another one.`,
  title: 'What Bosun relies upon in Slack',
  summary: ({channel, at, calls, seconds, thorough, counts}: Summary) =>
    `Tried in ${channel} with ${calls} calls in ${seconds} s${thorough ? ', thoroughly' : ''}, until ${at}: ${counts.holds} hold, ${counts.differs} differ, ${counts.untried} could not be tried.`,
  cutShort: 'It was ended before its time: what is missing was not tried.',
  left: (what: readonly string[]) => `**Left behind**, to be deleted by hand: ${what.join(', ')}.`,
  differing: 'What differs',
  all: 'All of it',
  columns: ['assumed', 'seen', 'verdict', 'relied on in', 'Slack says'],
  thorough: 'takes longer, or asks much at once: --thorough',
} as const
