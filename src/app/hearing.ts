import {createPoller} from '../async/poller.ts'
import type {Worker} from '../inbox/worker.ts'
import type {Notice} from '../store/notices/notices.ts'
import type {Core} from './core.ts'
import type {Services} from './services.ts'
import type {serveWorkspaces} from './serving.ts'

/** While others cannot be heard, everybody looks so often for what is due. */
const EVERY_MS = 1000
/** Where the app is installed and which keys there are is read again each so many looks while they cannot be heard. */
const DEAF_LOOKS = 5
/** And all of it while they can: whoever was to tell may have died before. */
const HEARING_LOOKS = 60
const RETRY_MS = 2000

/** What other instances say: whatever it is about may be due here, or other than is remembered. */
export function heedOthers(
  core: Core,
  services: Services,
  {
    worker,
    installs,
  }: {worker: Worker} & Pick<Awaited<ReturnType<typeof serveWorkspaces>>, 'installs'>,
): AsyncDisposable {
  const {store, log, holdings, workspaces, obstacles, toldSecrets} = core
  const {notices, connections, hooks} = store

  const onFailure = (error: unknown): void =>
    log.warn({err: error}, 'What others have said could not be read yet')
  /** Reads it, and again until it could. */
  const reader = (read: () => Promise<unknown>) =>
    createPoller({
      look: async () => {
        await read()
        return undefined
      },
      onFailure,
      retryMs: RETRY_MS,
    })
  const installing = reader(() => installs.refresh())
  const keys = reader(async () => {
    await Promise.all([connections.reload(), hooks.reload()])
    services.keys.doubt()
  })
  const lookAtAll = (): void => {
    worker.wake()
    services.wakeAll()
  }

  notices.onHeard((notice: Notice) => {
    switch (notice.about) {
      case 'inbox':
        if (holdings.of(notice.team) !== undefined) worker.wake()
        break
      case 'confessions':
        workspaces.of(notice.team)?.confessions.wake()
        break
      case 'announcements':
        services.wakeChannels(notice.team === '' ? undefined : notice.team)
        break
      case 'link':
        if (workspaces.of(notice.team) !== undefined) services.show(notice.linkId).catch(onFailure)
        break
      case 'watches':
        services.watcher.look()
        break
      case 'hooks':
        services.hooks.wake()
        break
      case 'pull-requests':
        services.pullRequests.wake()
        break
      case 'installs':
        installing.wake()
        break
      case 'keys':
        keys.wake()
        break
      case 'settings':
        lookAtAll()
        break
      case 'comeback':
        obstacles.retry(notice, notice.codes)
        break
      case 'secret':
        toldSecrets.heed(notice.sealed)
        break
      case 'closed':
        workspaces.of(notice.team)?.closed(notice.channel)
        break
      case 'moved':
        workspaces.of(notice.team)?.moved(notice.channel, notice.user)
        break
      default:
        throw new Error(`Unknown notice: ${JSON.stringify(notice satisfies never)}`)
    }
  })
  const readAll = (): void => {
    installing.wake()
    keys.wake()
    lookAtAll()
  }
  /** That a key is taken again is told once for each link. */
  const wakeResting = async (): Promise<void> => {
    for (const {id, notice} of await store.links.live(holdings.names(), Date.now())) {
      if (notice?.code === 'key-refused') await services.show(id)
    }
  }
  notices.onMissed(() => {
    readAll()
    wakeResting().catch(onFailure)
  })
  let looks = 0
  const look = (): void => {
    const isDeaf = !notices.isListening()
    looks += 1
    if (looks % (isDeaf ? DEAF_LOOKS : HEARING_LOOKS) === 0) readAll()
    else if (isDeaf) lookAtAll()
  }
  const timer = store.ownership.isShared ? setInterval(look, EVERY_MS) : undefined
  timer?.unref()
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await Promise.all([installing, keys].map((one) => one[Symbol.asyncDispose]()))
    },
  }
}
