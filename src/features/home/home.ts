import {startOfDayMs} from '../../inbox/due-times.ts'
import {isWorking} from '../../platform/model.ts'
import {shownStatus} from '../../platform/shown-status.ts'
import type {Rank} from '../../relay/post.ts'
import type {ChoiceStore} from '../../store/tables/choices.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {LinkStore} from '../../store/tables/work/links.ts'
import type {NotificationStore} from '../../store/tables/work/notifications.ts'
import type {Access} from '../../slack/access.ts'
import {
  HOME_SECTIONS,
  type HomeContent,
  type HomePage,
  type HomeRow,
  type HomeSection,
  drawHome,
  isFailed,
  shownRows,
} from './view.ts'
import type {Tools} from '../../slack/gate/tools.ts'
import type {ConnectionStore} from '../../store/tables/platform-keys.ts'
import {keyName} from '../../slack/texts.ts'
import {inBold} from '../../slack/markup/lines.ts'
import {homeTexts} from './texts.ts'

/** App Home of everybody who looks at theirs. */
export interface Home extends AsyncDisposable {
  /** Somebody looks: shows them their work, and keeps it up to date for a while. */
  show: (user: string, page?: HomePage) => Promise<void>
  /** The link may read differently now. */
  note: (link: Link) => void
  /** Somebody may see other things now; whoever does not look at theirs is left alone. */
  refresh: (user: string) => void
}

interface HomeOptions extends Pick<
  Tools,
  'forms' | 'log' | 'permalinks' | 'team' | 'webUrl' | 'zoneOf'
> {
  store: {links: LinkStore; notifications: NotificationStore; choices: ChoiceStore}
  access: Pick<Access, 'mayKnow'>
  /** What only they may read there. */
  factsOf: (user: string) => Promise<Pick<HomeContent, 'email' | 'workspaceKey'>>
}

/** Somebody who looked at their App Home not long ago. */
interface Reader {
  lookedAtMs: number
  page: HomePage
  /** How each row read when it was shown last. */
  seen: Map<string, string>
  timer: NodeJS.Timeout | undefined
  /** One after the other: an older view must not replace a newer one. */
  last: Promise<void>
}

const KEEP_MS = 3_600_000
/** What changes together is shown together. */
const GATHER_MS = 2000
const FIRST_PAGE: HomePage = {section: 'needsYou', from: 0}

export function createHome(options: HomeOptions): Home {
  const {forms, permalinks, zoneOf, factsOf, access, team, webUrl, log} = options
  const {links, notifications, choices} = options.store
  const readers = new Map<string, Reader>()

  const read = async (user: string, page: HomePage): Promise<HomeContent> => {
    const person = {team, user}
    const dayMs = startOfDayMs(Date.now(), await zoneOf(user))
    const all = await knownTo(user, await links.ofStarter(person, dayMs))
    const asking = await notifications.asking(all.map(({id}) => id))
    const rows: Record<HomeSection, HomeRow[]> = {needsYou: [], running: [], done: []}
    for (const link of all) {
      const notification = asking.get(link.id)
      const of = sectionOf(link, notification !== undefined, dayMs)
      if (of !== undefined)
        rows[of].push({link, notification, permalink: permalinks.known(link.place)})
    }
    return {
      rows,
      page,
      choices: await choices.of(person),
      onPlatform: await choices.onPlatform(person),
      ...(await factsOf(user)),
    }
  }

  /** Of their own work too, what is in channels that they have left is not theirs to see. */
  const knownTo = async (user: string, all: readonly Link[]): Promise<Link[]> => {
    const channels = [...new Set(all.map(({place}) => place.channel))]
    const may = await Promise.all(channels.map((channel) => access.mayKnow(user, channel)))
    const known = new Set(channels.filter((_, index) => may[index]))
    return all.filter(({place}) => known.has(place.channel))
  }

  const publish = async (user: string, reader: Reader, rank: Rank): Promise<void> => {
    const content = await read(user, reader.page)
    const rows = HOME_SECTIONS.flatMap((of) => [...content.rows[of]])
    reader.seen = new Map(rows.map(({link}) => [link.id, looksOf(link)]))
    await forms.publish(user, drawHome(content, {webUrl}), rank)
    // Links cost a call each: they come behind what is known already.
    const shown = HOME_SECTIONS.flatMap((of) => [...shownRows(content, of)])
    const missing = shown.filter(({permalink}) => permalink === undefined)
    const found = await Promise.all(missing.map(({link}) => permalinks.find(link.place)))
    if (found.every((url) => url === undefined)) return
    await forms.publish(user, drawHome(await read(user, reader.page), {webUrl}), 'spare')
  }

  const enqueue = (user: string, reader: Reader, rank: Rank): Promise<void> => {
    clearTimeout(reader.timer)
    reader.timer = undefined
    const next = reader.last.then(() => publish(user, reader, rank))
    reader.last = next.catch((error: unknown) => {
      log.error({err: error}, 'App Home could not be shown')
    })
    return next
  }

  const showSoon = (user: string): void => {
    const reader = readers.get(user)
    if (reader === undefined || reader.timer !== undefined) return
    if (Date.now() - reader.lookedAtMs > KEEP_MS) return
    const again = () => void enqueue(user, reader, 'spare').catch(() => undefined)
    reader.timer = setTimeout(again, GATHER_MS).unref()
  }

  return {
    show: async (user, page = FIRST_PAGE) => {
      forgetOld()
      const reader = readers.get(user) ?? createReader()
      readers.set(user, Object.assign(reader, {lookedAtMs: Date.now(), page}))
      await enqueue(user, reader, 'final')
    },
    note: (link) => {
      const reader = readers.get(link.startedBy)
      if (link.place.team !== team || reader?.seen.get(link.id) === looksOf(link)) return
      showSoon(link.startedBy)
    },
    refresh: (user) => showSoon(user),
    [Symbol.asyncDispose]: async () => {
      for (const {timer} of readers.values()) clearTimeout(timer)
      const all = [...readers.values()]
      readers.clear()
      await Promise.all(all.map(({last}) => last))
    },
  }

  function forgetOld(): void {
    for (const [user, {lookedAtMs, timer}] of readers) {
      if (Date.now() - lookedAtMs <= KEEP_MS) continue
      clearTimeout(timer)
      readers.delete(user)
    }
  }
}

function createReader(): Reader {
  return {
    lookedAtMs: 0,
    page: FIRST_PAGE,
    seen: new Map(),
    timer: undefined,
    last: Promise.resolve(),
  }
}

/** Where it stands; what failed or came to rest on another day does not. */
function sectionOf(link: Link, isAsking: boolean, dayMs: number): HomeSection | undefined {
  const {state, statusSinceMs} = link
  if (state === 'starting') return 'running'
  if (state === 'open') {
    const status = shownStatus(link)
    if (isAsking || status === 'pending_user' || status === 'ready_for_review') return 'needsYou'
    if (status === undefined || isWorking(status)) return 'running'
  }
  if (statusSinceMs < dayMs) return undefined
  return isFailed(link) ? 'needsYou' : 'done'
}

/** All that a row shows of its link, as far as it changes. */
function looksOf({state, status, statusSinceMs, needsYou, title}: Link): string {
  return JSON.stringify([state, status, statusSinceMs, needsYou, title])
}

const MAX_LABEL = 80

/** What somebody's App Home tells of them, and to admins of the workspace. */
export function createHomeFacts({
  people,
  connections,
  settingsOf,
  team,
}: Pick<Tools, 'people' | 'settingsOf' | 'team'> & {connections: ConnectionStore}): (
  user: string,
) => Promise<Pick<HomeContent, 'email' | 'workspaceKey'>> {
  const keyText = async (): Promise<string> => {
    const {isConnected, values} = await settingsOf(team, undefined)
    const {connectionId, projectName, projectId} = values
    if (!isConnected) return homeTexts.connection.none
    const key = connectionId === undefined ? undefined : await connections.byId(connectionId)
    const project = projectName ?? projectId
    const name = inBold(keyName(key), MAX_LABEL)
    return [name, ...(project === undefined ? [] : [inBold(project, MAX_LABEL)])].join(' · ')
  }

  return async (user) => {
    const [email, mayChange] = await Promise.all([people.emailOf(user), people.seemsAdmin(user)])
    return {email, workspaceKey: mayChange ? await keyText() : undefined}
  }
}
