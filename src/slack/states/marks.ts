import type {WebClient} from '@slack/web-api'
import type {Clock} from '../../async/clock.ts'
import {createNewestNoted} from '../../async/newest-noted.ts'
import {createRetries} from '../../async/retries.ts'
import {SlackError} from '../../once/slack-error.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import type {Log} from '../../relay/ports.ts'
import type {Noise} from '../../store/tables/choices.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {MarkStore, StandingMark} from '../../store/tables/work/marks.ts'
import {callSlack} from '../api/slack-client.ts'
import {LASTING, MARKS, type Mark, markOf, messageOf, wasBegunByMessage} from './mark.ts'
import {type Step, createNewest} from './newest.ts'

/** Our one reaction on the message that began the work says how that stands, its newest state alone. */
interface Marks extends AsyncDisposable {
  show(link: Link): void
  /** Brings to its end what was under way when the process stopped. */
  recover(): void
}

interface MarksOptions {
  marks: MarkStore
  /** To whom the work is quiet, 👀 says enough. */
  noiseOf: (link: Link) => Promise<Noise>
  client: WebClient
  pacer: Pacer
  team: string
  log: Log
  clock: Clock
}

interface Marked {
  link: Link
  /** `undefined`: whatever stands is right. */
  wanted: Mark | undefined
  standing: StandingMark[]
}

/** It stands there, or nothing does: as good as done. */
const HARMLESS: readonly string[] = ['already_reacted', 'no_reaction', 'message_not_found']
/** After a start as many are looked at, those that changed last, and nothing that nobody reads any more. */
const MOST_UNSETTLED = 500
const UNSETTLED_FOR_MS = 30 * 86_400_000

export function createMarks(options: MarksOptions): Marks {
  const {marks, noiseOf, client, team, log} = options

  const note = async (marked: Marked, standing: StandingMark[]): Promise<void> => {
    await marks.put(marked.link.id, standing)
    marked.standing = standing
  }

  const stepOf = (marked: Marked): Step | undefined => {
    const {wanted, standing, link} = marked
    if (wanted === undefined) return undefined
    const {channel} = link.place
    const old = standing.find(({name}) => name !== wanted)
    if (!standing.some(({name, isIntended}) => name === wanted && !isIntended)) {
      const call = () => add(marked, wanted)
      return {method: 'reactions.add', channel, rank: 'preview', call}
    }
    if (old === undefined) return undefined
    const call = () => remove(marked, old.name)
    return {method: 'reactions.remove', channel, rank: 'preview', call}
  }

  const add = async (marked: Marked, name: Mark): Promise<void> => {
    const others = marked.standing.filter((it) => it.name !== name)
    await note(marked, [...others, {name, isIntended: true}])
    await react(marked.link, 'add', name)
    // Where another one is still to be taken away, this is noted with that.
    const standing = [...others, {name, isIntended: false}]
    if (others.length === 0) await note(marked, standing)
    else marked.standing = standing
  }

  const remove = async (marked: Marked, name: string): Promise<void> => {
    await react(marked.link, 'remove', name)
    const rest = marked.standing.filter((it) => it.name !== name)
    await note(marked, rest)
  }

  const react = async (link: Link, method: 'add' | 'remove', name: string): Promise<void> => {
    const message = {channel: link.place.channel, timestamp: messageOf(link)}
    try {
      await callSlack(() => client.reactions[method]({...message, name}))
    } catch (error) {
      if (!(error instanceof SlackError && HARMLESS.includes(error.code))) throw error
    }
  }

  const newest = createNewest<Marked>({
    ...options,
    what: 'reactions',
    stepOf,
    isOver: ({link}) => link.state === 'archived' || link.state === 'ended',
  })

  const lookAt = async (link: Link): Promise<void> => {
    const known = newest.items.get(link.id)
    const standing = known?.standing ?? (await standingOf(link))
    if (standing === undefined) return
    const hasFailed = standing.some(({name}) => name === MARKS.failed)
    const state = markOf(link, hasFailed)
    const isQuiet = state !== MARKS.working && (await noiseOf(link)) === 'quiet'
    const wanted = isQuiet ? MARKS.working : state
    newest.items.set(link.id, Object.assign(known ?? {standing}, {link, wanted}))
    newest.look(link.id)
  }

  /** `undefined`: it was at rest before any of this was noted, and stays as it is. */
  const standingOf = async (link: Link): Promise<StandingMark[] | undefined> => {
    const noted = await marks.of(link.id)
    if (noted === undefined && markOf(link, false) !== MARKS.working) return undefined
    if (noted !== undefined && noted.length > 0) return noted
    // Whoever wrote the message has seen it answered so.
    return wasBegunByMessage(link) ? [{name: MARKS.working, isIntended: false}] : []
  }

  const retries = createRetries((error) =>
    log.error({err: error}, 'What a mark says could not be looked up'),
  )
  const noted = createNewestNoted(lookAt, retries)

  const show = (link: Link): void => {
    if (newest.isOn()) noted(link.id, link)
  }

  return {
    show,
    recover: () =>
      retries.keep(async () => {
        const some = {sinceMs: Date.now() - UNSETTLED_FOR_MS, most: MOST_UNSETTLED}
        for (const link of await marks.unsettled(team, LASTING, some)) show(link)
      }),
    [Symbol.asyncDispose]: async () => {
      await retries[Symbol.asyncDispose]()
      await newest[Symbol.asyncDispose]()
    },
  }
}
