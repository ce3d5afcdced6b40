import type {WebClient} from '@slack/web-api'
import {splitMarkdown} from '../../markdown/split.ts'
import {toVisible} from '../../markdown/visible.ts'
import {backoffMs, isAborted} from '../../async/pause.ts'
import {type Clock, waitOn} from '../../async/clock.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import {type Log, type PostWriter, WriteError} from '../../relay/ports.ts'
import {ANSWERED, type Looks, UNANSWERED, lookTwice} from '../../relay/publish/absence.ts'
import type {AgentPost, AgentPostStore} from '../../store/agent-posts.ts'
import type {Link} from '../../store/link.ts'
import type {LinkStore} from '../../store/links.ts'
import {callForRelay} from '../../slack/api/calls.ts'
import {eachMessage} from '../../slack/api/message-pages.ts'
import {type Turn, inTurn, inTurns} from '../../slack/api/turns.ts'
import type {Discretion} from '../../slack/api/discretion.ts'
import {UPLOAD_METHOD, uploadFile} from '../../slack/api/uploads.ts'
import {messageSchema, splitRule} from '../../slack/posts/writer.ts'

/** What became of a post: it stands, Slack does not take it, or nobody knows yet. */
export type Settled = 'posted' | {code: string} | 'later'

export interface BringingOptions {
  agentPosts: AgentPostStore
  links: LinkStore
  client: WebClient
  writer: PostWriter
  pacer: Pacer
  team: string
  botUserId: string
  clock: Clock
  log: Log
  discretion?: Discretion | undefined
}

const TROUBLE = {baseMs: 500, maxMs: 30_000}

type Step = {kind: 'say'; markdown: string} | {kind: 'file'; name: string; bytes: Uint8Array}

/** The messages of a post: its text in as many as it takes, as an agent's reply is split, then its file. */
function stepsOf({text, file}: AgentPost): Step[] {
  const {maxCost, costOf} = splitRule
  const parts = text === '' ? [] : splitMarkdown(toVisible(text), maxCost, costOf)
  return [
    ...parts
      .filter(({shown}) => shown.trim() !== '')
      .map(({shown}) => ({kind: 'say' as const, markdown: shown})),
    ...(file === undefined ? [] : [{kind: 'file' as const, ...file}]),
  ]
}

/** One of them, message by message: what is about to happen is noted first, and what Slack said after it. */
export function createPostBringing(options: BringingOptions, stop: AbortSignal) {
  const {agentPosts, links, client, writer, pacer, team, botUserId, clock, log, discretion} =
    options

  const turn = (method: string, channel: string): Turn => ({
    ...{pacer, team, channel, method, signal: stop},
  })

  const say = async (
    post: AgentPost,
    {id: linkId, place}: Link,
    content: SayStep,
  ): Promise<void> => {
    await inTurn(turn(writer.methods.create, place.channel), async () => {
      await agentPosts.intend(post.id)
      await writer.create({place, linkId, key: keyOf(post), content: {kind: 'say', ...content}})
      await agentPosts.confirm(post.id)
    })
  }

  const showFile = async (post: AgentPost, {place}: Link, step: FileStep): Promise<void> => {
    const {channel, slackThread} = place
    const upload = () => uploadFile(client, step.name, new Uint8Array(step.bytes), discretion)
    const file = await inTurn(turn(UPLOAD_METHOD, channel), upload)
    if (file === undefined) return
    await inTurn(turn(writer.methods.share, channel), async () => {
      await agentPosts.intend(post.id, file)
      await callForRelay(() =>
        client.files.completeUploadExternal({
          ...{files: [{id: file, title: step.name}], channel_id: channel, thread_ts: slackThread},
        }),
      )
      await agentPosts.confirm(post.id)
    })
  }

  const stands = async (post: AgentPost, {id: linkId, place}: Link): Promise<boolean> => {
    const query = {channel: place.channel, ts: place.slackThread, limit: 200}
    const messages = eachMessage((from) =>
      inTurns(turn(writer.methods.find, place.channel), () =>
        callForRelay(() =>
          client.conversations.replies({...query, include_all_metadata: true, ...from}),
        ),
      ),
    )
    for await (const message of messages) {
      const {data} = messageSchema.safeParse(message)
      if (data?.user !== botUserId) continue
      const mark = data.metadata?.event_payload
      const isIts = mark?.link === linkId && mark.key === keyOf(post)
      const bearsFile = data.files?.some(({id}) => id === post.slackFile) === true
      if (post.slackFile === undefined ? isIts : bearsFile) return true
    }
    return false
  }

  /** An intent from before a crash, or that nobody confirmed: it stands, or it never will. */
  const lookFor = async (post: AgentPost, link: Link, looks: Looks): Promise<void> => {
    const find = async () => (await stands(post, link)) || undefined
    const isThere = await lookTwice(looks, find, {clock, signal: stop})
    if (isAborted(stop)) return
    await (isThere === true ? agentPosts.confirm(post.id) : agentPosts.want(post.id))
  }

  /** Waits as Slack says, unless it is to be looked for now, at its own pace. False: it won't take it, however often it is asked. */
  const sitOut = async (
    error: WriteError,
    {failures, isDue}: {failures: number; isDue: boolean},
  ): Promise<boolean> => {
    log.warn({err: error}, 'Slack did not take a post of an agent’s machine')
    if (error.kind === 'retry' && !isDue) await waitOn(clock, backoffMs(failures, TROUBLE), stop)
    // Its next turn comes when Slack allows.
    return error.kind === 'retry' || error.kind === 'wait'
  }

  return async (id: string): Promise<Settled> => {
    let isPlain = false
    let looks = UNANSWERED
    for (let failures = 1; !isAborted(stop); failures += 1) {
      const post = await agentPosts.byId(id)
      const link = post && (await links.byId(post.linkId))
      if (post === undefined || link === undefined) return {code: 'gone'}
      if (post.state === 'placed') return 'posted'
      if (post.reason !== undefined) return {code: post.reason}
      const step = stepsOf(post)[post.step]
      const isLooking = post.state === 'intended'
      try {
        if (isLooking) await lookFor(post, link, looks)
        else if (step === undefined) await agentPosts.end(id)
        else if (step.kind === 'file') await showFile(post, link, step)
        else await say(post, link, {markdown: step.markdown, ...(isPlain && {plain: true})})
        isPlain = false
      } catch (error) {
        if (!(error instanceof WriteError)) throw error
        // The message of a file appears by itself, whatever was said.
        const isDue = !isLooking && error.isAnswered && step?.kind === 'say'
        if (!isLooking) looks = isDue ? ANSWERED : UNANSWERED
        // A refusal is an answer: the message surely does not exist.
        if (!isLooking && error.kind !== 'retry') await agentPosts.want(id)
        if (await sitOut(error, {failures, isDue})) continue
        if (error.kind === 'refused' && step?.kind === 'say' && !isPlain) isPlain = true
        else await agentPosts.refuse(id, error.code)
      }
    }
    return 'later'
  }
}

interface SayStep {
  markdown: string
  plain?: true
}
type FileStep = Extract<Step, {kind: 'file'}>

/** No key of a relay's post: it neither takes this message for one of its own nor removes it. */
function keyOf({id, step}: AgentPost): string {
  return `machine:${id}:${step}`
}
