import {endIfMisplaced} from '../../agents/follow.ts'
import type {Knowing} from '../../agents/who-may-know.ts'
import {type Clock, waitOn} from '../../async/clock.ts'
import {isAborted} from '../../async/pause.ts'
import {LATE} from '../../once/look-twice.ts'
import {type Next, makeOnce} from '../../once/make-once.ts'
import {createPoster} from '../../once/poster.ts'
import {calledBy} from '../../relay/posts/called-by.ts'
import type {PostWriter, Search} from '../../relay/ports.ts'
import type {QuestionContent, SayContent} from '../../relay/post.ts'
import {below} from '../../slack/api/below.ts'
import {callSlack} from '../../slack/api/slack-client.ts'
import type {Discretion} from '../../slack/api/discretion.ts'
import {type PacedCall, paced, pacedAgain} from '../../slack/api/paced.ts'
import {UPLOAD_METHOD, uploadFile} from '../../slack/api/uploads.ts'
import type {Canvases} from '../../slack/posts/canvases.ts'
import {code, inBold} from '../../slack/markup/lines.ts'
import type {Access} from '../../slack/access.ts'
import {texts} from '../../slack/texts.ts'
import {NOBODY} from '../../store/forget/blanking.ts'
import type {AgentPost, AgentPostStore, Upload} from '../../store/tables/work/agent-posts.ts'
import type {Link, Place} from '../../store/tables/work/link.ts'
import type {LinkStore} from '../../store/tables/work/links.ts'
import type {QuestionStore} from '../../store/tables/work/questions.ts'
import type {Tools} from '../../slack/gate/tools.ts'
import {createAnswered, questionContent} from './answered.ts'
import {partsOf} from './parts.ts'
import {reportIn} from './report.ts'
import {HEARD_WITHIN_MS, type Settled, settledOf} from './settled.ts'

/** Shows in Slack what code on agents' machines posts: each once, whatever fails in between. */
export interface AgentPoster extends AsyncDisposable {
  /** Our tables may hold posts that do not stand yet, or questions that were answered. */
  wake(): void
  /** Brings one of them to Slack. `late`: the signal came first; it is brought there all the same. */
  settle(post: AgentPostRef, signal: AbortSignal): Promise<Settled | 'late'>
}

type AgentPostRef = Pick<AgentPost, 'id' | 'linkId'>

interface AgentPosterOptions extends Pick<Tools, 'client' | 'log' | 'pacer' | 'replies' | 'team'> {
  agentPosts: AgentPostStore
  questions: QuestionStore
  links: LinkStore
  writer: PostWriter
  canvases: Pick<Canvases, 'make' | 'share'>
  /** Whether what is followed must not be shown in its place any more. */
  knowing: Pick<Knowing, 'isMisplaced'>
  show: (linkId: string) => Promise<void>
  access: Pick<Access, 'mayKnow'>
  clock: Clock
  discretion?: Discretion | undefined
  /** Slack may show a message of ours there by now. */
  onPosted: (place: Place) => void
  /** What was posted is done with, and stands or does not. */
  onSettled: (link: Link) => void
}

const MAX_TITLE = 140

type Step =
  | {kind: 'say'; markdown: string; isLast: boolean}
  | {kind: 'file'; name: string; bytes: Uint8Array}
  | {kind: 'uploads'; uploads: readonly Upload[]}

export function createAgentPoster(options: AgentPosterOptions): AgentPoster {
  const {
    agentPosts,
    questions,
    links,
    client,
    writer,
    canvases,
    access,
    replies,
    pacer,
    team,
    clock,
    log,
    discretion,
    onSettled,
  } = options
  const answered = createAnswered(options)
  /** How many wait for what comes of it, by id. */
  const waiting = new Map<string, number>()

  const turn = (method: string, channel: string, signal: AbortSignal): PacedCall => ({
    pacer,
    team,
    channel,
    method,
    signal,
  })

  const say = async (
    post: AgentPost,
    {id: linkId, place}: Link,
    {markdown, isLast}: {markdown: string; isLast: boolean},
    {isPlain, signal}: {isPlain: boolean; signal: AbortSignal},
  ): Promise<void> => {
    const question = isLast ? await questions.byId(post.id) : undefined
    const said: SayContent | QuestionContent =
      question?.words === undefined
        ? {kind: 'say', markdown}
        : questionContent(question, question.words)
    const content = {...said, ...(isPlain && {plain: true as const})}
    await paced(turn(writer.methods.create, place.channel, signal), async () => {
      await agentPosts.intend(post.id)
      const ts = await writer.create({place, linkId, key: keyOf(post), content})
      await confirm(post, ts, question !== undefined)
    })
  }

  /** It may have been pressed before we heard of it. */
  const confirm = async ({id}: AgentPost, ts: string, isQuestion: boolean): Promise<void> => {
    if (isQuestion) await questions.place(id, ts)
    await agentPosts.confirm(id)
    if (isQuestion) answered.wake()
  }

  const showFile = async (
    post: AgentPost,
    link: Link,
    {name, bytes}: {name: string; bytes: Uint8Array},
    signal: AbortSignal,
  ): Promise<void> => {
    const markdown = reportIn({name, bytes})
    const canvas = markdown && (await canvases.make(link.place, markdown, name))
    if (canvas !== undefined) return showCanvas(post, link, {canvas, name}, signal)
    const upload = () => uploadFile(client, name, new Uint8Array(bytes), discretion)
    const id = await paced(turn(UPLOAD_METHOD, link.place.channel, signal), upload)
    if (id !== undefined) await show(post, link, [{id, name}], signal)
  }

  const showCanvas = async (
    post: AgentPost,
    {id: linkId, place}: Link,
    {canvas, name}: {canvas: string; name: string},
    signal: AbortSignal,
  ): Promise<void> => {
    const shared = {
      place,
      linkId,
      key: keyOf(post),
      file: canvas,
      text: `*${inBold(name, MAX_TITLE)}*`,
    }
    await paced(turn(writer.methods.create, place.channel, signal), async () => {
      await agentPosts.intend(post.id, canvas)
      await canvases.share(shared).finally(() => options.onPosted(place))
      await agentPosts.confirm(post.id)
    })
  }

  /** In one message, pictures side by side. */
  const show = async (
    {id}: AgentPost,
    {place}: Link,
    uploads: readonly Upload[],
    signal: AbortSignal,
  ): Promise<void> => {
    const [first, ...others] = uploads.map((upload) => ({id: upload.id, title: upload.name}))
    if (first === undefined) return
    const {channel} = place
    await paced(turn(writer.methods.share, channel, signal), async () => {
      await agentPosts.intend(id, first.id)
      const files: [typeof first, ...(typeof first)[]] = [first, ...others]
      const shared = {files, channel_id: channel, ...below(place)}
      await callSlack(() => client.files.completeUploadExternal(shared)).finally(() =>
        options.onPosted(place),
      )
      await agentPosts.confirm(id)
    })
  }

  const find = async (
    post: AgentPost,
    {id: linkId, place}: Link,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    const sought = {place, linkId, key: keyOf(post), file: post.slackFile, sinceMs: undefined}
    const others = {isKnown: () => false, mayBeBare: false}
    let search: Search | undefined
    for (;;) {
      const found = await pacedAgain(turn(writer.methods.find, place.channel, signal), () =>
        writer.find({...sought, ...others, search}),
      )
      if (typeof found !== 'object') return found
      search = found
    }
  }

  const nextOf = async (id: string, signal: AbortSignal): Promise<Next<Settled>> => {
    const post = await agentPosts.byId(id)
    const settled = settledOf(post)
    if (settled !== undefined) return {settled}
    const link = post && (await links.byId(post.linkId))
    if (post === undefined || link === undefined) return {settled: {code: 'gone'}}
    const giveUp = async (error: {code: string}): Promise<undefined> => {
      await agentPosts.refuse(id, error.code)
    }
    const step = stepsOf(post)[post.step]
    const failing = {giveUp, drop: () => agentPosts.want(id), isPatient: false}
    if (post.state === 'intended') {
      const isQuestion = step?.kind === 'say' && step.isLast
      return {
        ...failing,
        find: () => find(post, link, signal),
        ...(step !== undefined && step.kind !== 'say' && {looks: LATE}),
        confirm: (ts) => confirm(post, ts, isQuestion),
      }
    }
    if (step === undefined) return {...failing, change: () => agentPosts.end(id)}
    const {notice} = await endIfMisplaced(options, link)
    if (notice?.code === 'misplaced') return {...failing, change: () => giveUp({code: 'gone'})}
    if (step.kind !== 'say') {
      const make = (): Promise<void> =>
        step.kind === 'file'
          ? showFile(post, link, step, signal)
          : show(post, link, step.uploads, signal)
      return {...failing, make, canBePlain: false}
    }
    const make = (isPlain: boolean) => say(post, link, step, {isPlain, signal})
    return {...failing, make, canBePlain: true}
  }

  /** Who waits hears the refusal as their answer; where nobody does any more, whoever asked for the work is told. */
  const tellRefused = async (
    {id, linkId}: AgentPostRef,
    reason: string,
    signal: AbortSignal,
  ): Promise<void> => {
    const isHeard = waiting.has(id)
    if (!isHeard) await waitOn(clock, HEARD_WITHIN_MS, signal)
    if (isAborted(signal) || !(await agentPosts.tell(id)) || isHeard) return
    const link = await links.byId(linkId)
    // Of what is private elsewhere nobody here is told anything.
    if (link === undefined || link.notice?.code === 'misplaced') return
    const person = calledBy(link)
    if (person === NOBODY) return
    const {title, place} = link
    // Who is not in the channel any more, or of whom Slack does not say, reads nothing of what is in it.
    const isKnown = await access.mayKnow(person, place.channel)
    const work = isKnown ? `*${inBold(title ?? texts.card.untitled, MAX_TITLE)}*` : undefined
    replies.tell(person, {text: texts.postRefused(work, `<#${place.channel}>`, code(reason))})
  }

  const poster = createPoster<AgentPostRef, Settled>({
    due: () => agentPosts.due(team),
    keyOf: ({linkId}) => linkId,
    makeOnce: async (post, signal) => {
      const settled = await makeOnce(() => nextOf(post.id, signal), {
        clock,
        signal,
        onTrouble: (error) =>
          log.warn({err: error, id: post.id}, 'Slack did not take a post of an agent’s machine'),
      })
      if (typeof settled === 'object') await tellRefused(post, settled.code, signal)
      const link = await links.byId(post.linkId)
      if (link !== undefined) onSettled(link)
      return settled
    },
    onFailure: (error) => log.error({err: error}, 'A post of an agent’s machine failed'),
  })

  return {
    wake: () => {
      poster.wake()
      answered.wake()
    },
    settle: async (post, signal) => {
      const {id} = post
      waiting.set(id, (waiting.get(id) ?? 0) + 1)
      try {
        return await poster.settle(post, signal)
      } finally {
        const others = (waiting.get(id) ?? 1) - 1
        if (others === 0) waiting.delete(id)
        else waiting.set(id, others)
      }
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([poster[Symbol.asyncDispose](), answered[Symbol.asyncDispose]()])
    },
  }
}

/** The messages of a post: its text in as many as it takes, of which the last bears buttons, then its files. */
function stepsOf({text, file, uploads}: AgentPost): Step[] {
  const parts = partsOf(text)
  return [
    ...parts.map((markdown, index) => {
      return {kind: 'say' as const, markdown, isLast: index === parts.length - 1}
    }),
    ...(file === undefined ? [] : [{kind: 'file' as const, ...file}]),
    ...(uploads.length === 0 ? [] : [{kind: 'uploads' as const, uploads}]),
  ]
}

/** No key of a relay's post: it neither takes this message for one of its own nor removes it. */
function keyOf({id, step}: AgentPost): string {
  return `machine:${id}:${step}`
}
