import {leaveTeam, letTimePass} from './changes.ts'
import {probeLeavers} from './leavers.ts'
import {probeBeginning, probeCaptains, probeForgotten, probeQuotes} from './others.ts'
import {probeCommands, probeHomes, probeLists, probeWatches, sweep} from './probes.ts'
import {probeUnfurls} from './unfurls.ts'
import {openStage} from './stage.ts'
import {type SightReport, createTally} from './tally.ts'

/**
 * Everybody looks from everywhere for work that was begun everywhere: the bot as a process, judged by what Slack showed
 * to whom, and by what reached the platform. `every`: a sample of what is typed, and nothing that takes long.
 */
export async function runSight({every = 1}: {every?: number} = {}): Promise<SightReport> {
  await using stage = await openStage()
  const tally = createTally()
  let ordinal = 0
  await leaveTeam(stage)
  if (every === 1) await letTimePass(stage)
  await probeWatches(stage, tally)
  await probeHomes(stage, tally)
  if (every === 1) await probeLists(stage, tally)
  await probeUnfurls(stage, tally, () => ordinal++ % every === 0)
  await probeCommands(stage, tally, () => ordinal++ % every === 0)
  if (every === 1) {
    await probeCaptains(stage, tally)
    await probeBeginning(stage, tally)
    await probeQuotes(stage, tally)
    await probeForgotten(stage, tally)
  }
  await stage.quiet()
  sweep(stage, tally)
  return tally.report
}

/** What people had opened before they left, in a world of its own. */
export async function runLeavers(): Promise<SightReport> {
  await using stage = await openStage()
  const tally = createTally()
  await probeLeavers(stage, tally)
  return tally.report
}
