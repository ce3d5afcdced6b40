import {inUnfurl} from '../matrix-oracle/sight.ts'
import {PLACES, type Place, WHAT, WHERE, WORKS} from '../matrix-oracle/sight-world.ts'
import type {Stage} from './stage.ts'
import {type SightTally, judgeAll} from './tally.ts'

/** Of no thread. */
const NO_THREAD = 'thread_000000000000000000000000'
/** Where people of another company read along from some moment on. */
const SHARED: Place = 'desk'

/** Links to every work are posted in every place, and once more where people of another company read them. */
export async function probeUnfurls(
  stage: Stage,
  tally: SightTally,
  isMeant: () => boolean,
): Promise<void> {
  for (const place of PLACES) await probePlace(stage, tally, {place, isShared: false, isMeant})
  const people = stage.peopleIn(SHARED)
  // Where it becomes shared under our eyes, an admin would have to let us go on.
  await people.kickBot(stage.channelOf(SHARED))
  await people.shareChannel(stage.channelOf(SHARED), 'T0OTHER')
  await stage.quiet()
  await people.inviteBot(stage.channelOf(SHARED))
  await stage.quiet()
  await probePlace(stage, tally, {place: SHARED, isShared: true, isMeant})
  await people.unshareChannel(stage.channelOf(SHARED), 'T0OTHER')
}

/** All at once: what the poster may know of it plays no part, so that whoever is there may be it. */
async function probePlace(
  stage: Stage,
  tally: SightTally,
  {place, isShared, isMeant}: {place: Place; isShared: boolean; isMeant: () => boolean},
): Promise<void> {
  const works = WORKS.filter(isMeant)
  if (works.length === 0) return
  const {members} = WHERE[place]
  const post = async (threadId: string, index: number) => {
    const person = members[index % members.length]
    if (person === undefined) throw new Error(`Nobody is in ${place}.`)
    const [ts, channel] = [await stage.link(threadId, place, person), stage.channelOf(place)]
    return () => stage.messages(channel).find((message) => message.ts === ts)?.attachments
  }
  const nothing = await post(NO_THREAD, 0)
  const shown = await Promise.all(works.map((work, at) => post(stage.threadOf(work), at)))
  const where = isShared ? `${place}, with another company` : place
  const cells = works.map((work, at) => {
    const below = () => shown[at]?.()
    const said = () => JSON.stringify(below() ?? [])
    return {
      cell: `a link in ${where}: ${work}`,
      verdict: inUnfurl(place, work, isShared),
      isShown: () => said().includes(WHAT[work].word),
      tells: () => (below() === undefined && nothing() === undefined ? undefined : said()),
    }
  })
  await judgeAll(stage, tally, cells)
}
