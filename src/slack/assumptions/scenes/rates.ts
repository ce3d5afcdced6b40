import type {Bench} from '../bench.ts'
import {differs, untried} from '../finding.ts'
import {SlackError} from '../../../once/slack-error.ts'
import type {Scene} from '../scene.ts'
import {checkTexts} from '../texts.ts'
import {section} from './blocks.ts'
import {startStream} from './streams.ts'

/** What Bosun takes for tolerated: src/slack/api/budgets.ts. */
const POSTS = 5
const EDITS = 10
const APPENDS = 20
/** About a minute of them. */
const PACED_EDITS = 40
/** Until a budget is full again, by the slowest of them. */
const REST_MS = 15_000
/** Beyond that Slack is not provoked. */
const MOST_EDITS = 60

/** How much may be asked at once, and what Slack says when it is too much. */
export const rates: Scene = {
  ids: ['burst-posts', 'burst-edits', 'burst-appends', 'retry-after', 'limit-alone'],
  without: ({place}) => (place.isThorough ? undefined : checkTexts.thorough),
  play: async (bench) => {
    const {place, caller, attempt, post, pause} = bench
    const {channel} = place
    const ts = await post({text: 'This one is edited many times.'})
    const edit = (text: string, atOnce: boolean) =>
      caller.call('chat.update', {channel, ts, text, blocks: [section(text)]}, {atOnce})
    const editAtOnce = (count: number) => edit(`Edit ${count}`, true)
    // Whether that is too much is judged with all that is asked in its turn.
    for (let count = 0; count < PACED_EDITS; count += 1) await edit(`In turn ${count}`, false)
    await pause(REST_MS)
    await attempt('burst-posts', () =>
      tryBurst(POSTS, async (at) => {
        const below = {channel, thread_ts: place.root, text: `Post ${at + 1}`}
        await caller.call('chat.postMessage', below, AT_ONCE)
      }),
    )
    await attempt('burst-appends', async () => {
      if (place.reader === undefined) return untried(checkTexts.noReader)
      const stream = await startStream(bench, 'This one grows: ')
      const args = {channel, ts: stream, markdown_text: 'more '}
      return tryBurst(APPENDS, () => caller.call('chat.appendStream', args, AT_ONCE))
    })
    await attempt('burst-edits', () => tryBurst(EDITS, editAtOnce))
    await tryLimit(bench, editAtOnce)
  },
}

const AT_ONCE = {atOnce: true}

async function tryBurst(count: number, ask: (at: number) => Promise<unknown>) {
  const asked = await Promise.allSettled(Array.from({length: count}, (_, at) => ask(at)))
  const errors = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  const others = errors.filter((error) => !isLimit(error))
  if (others.length > 0) throw others[0]
  if (errors.length === 0) return `${count} were taken`
  return differs(`${count - errors.length} of ${count} were taken`)
}

function isLimit(error: unknown): boolean {
  return error instanceof SlackError && error.kind === 'wait'
}

/** Asks until Slack has enough. */
async function tryLimit(
  {place, caller, attempt}: Bench,
  edit: (count: number) => Promise<unknown>,
): Promise<void> {
  const {channel} = place
  const isFresh = (): boolean => !caller.seen.bursts.some(({method}) => method === 'chat.update')
  const hasEnough = await attempt('retry-after', async () => {
    for (let count = 1; count <= MOST_EDITS && isFresh(); count += 1) {
      await edit(count).catch((error: unknown) => {
        if (!isLimit(error)) throw error
      })
    }
    const limited = caller.seen.bursts.find(({method}) => method === 'chat.update')
    if (limited === undefined) return untried(`${MOST_EDITS} edits in a row were all taken`)
    const {retryAfter} = limited
    const isSeconds = retryAfter !== null && /^[1-9]\d*$/.test(retryAfter)
    return isSeconds ? `${retryAfter} s` : differs(`it says ${retryAfter ?? 'nothing'}`)
  })
  if (!hasEnough && isFresh()) return
  await attempt('limit-alone', async () => {
    const said = await caller.refusal('conversations.info', {channel}, AT_ONCE)
    return said === 'ok' ? 'another one was taken' : differs(checkTexts.refused(said))
  })
}
