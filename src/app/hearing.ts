import {createPoller} from '../async/poller.ts'
import type {Worker} from '../inbox/worker.ts'
import type {Notice} from '../store/notices/notices.ts'
import type {Core} from './core.ts'
import type {Services} from './services.ts'
import type {serveWorkspaces} from './serving.ts'

/** While others cannot be heard, everybody looks so often. */
const EVERY_MS = 1000
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
  const {store, log, holdings, workspaces, obstacles} = core
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
  const keys = reader(() => Promise.all([connections.reload(), hooks.reload()]))
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
        services.wakeChannels()
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
      case 'installs':
        installing.wake()
        break
      case 'keys':
        keys.wake()
        break
      case 'comeback':
        obstacles.retry(notice, notice.codes)
        break
      case 'moved':
        workspaces.of(notice.team)?.moved(notice.channel, notice.user)
        break
      default:
        throw new Error(`Unknown notice: ${JSON.stringify(notice satisfies never)}`)
    }
  })
  notices.onMissed(() => {
    installing.wake()
    keys.wake()
    lookAtAll()
  })
  const timer = setInterval(() => {
    if (!notices.isListening()) lookAtAll()
  }, EVERY_MS)
  timer.unref()
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await Promise.all([installing, keys].map((one) => one[Symbol.asyncDispose]()))
    },
  }
}
