import {parseArgs} from 'node:util'
import {cutEverywhere} from '../test/support/cut-streams.ts'
import {record} from '../test/support/recorded-streams.ts'
import {allStories} from '../test/support/stream-stories.ts'
import {atLeast, endWith, never} from './lines.ts'

/** Whether a stream that is cut once, behind any of its bytes, ends in the same posts. */

const {values: options} = parseArgs({
  options: {
    seed: {type: 'string', default: '1'},
    /** Cut behind every so many bytes only: for a quick look. */
    every: {type: 'string', default: '1'},
    /** Streams whose name holds this. */
    only: {type: 'string', default: ''},
  },
})
const SHOWN = 10
await main()

async function main(): Promise<void> {
  const startedMs = performance.now()
  const stories = allStories.filter(({story}) => story.name.includes(options.only))
  const wrong: string[] = []
  let offsets = 0
  for (const [index, {story, dialect}] of stories.entries()) {
    const beganMs = performance.now()
    const recording = await record(story)
    const result = await cutEverywhere(recording, dialect, {
      seed: Number(options.seed) + index,
      every: Number(options.every),
    })
    offsets += result.offsets
    wrong.push(...result.wrong)
    const cells = [
      story.name.padEnd(27),
      dialect.name.padEnd(35),
      `${String(recording.frames.length).padStart(5)} frames`,
      `${String(result.offsets).padStart(7)} offsets`,
      `${((performance.now() - beganMs) / 1000).toFixed(1).padStart(6)} s`,
    ]
    console.log(cells.join(''))
    for (const line of result.wrong.slice(0, SHOWN)) console.log(`  ${line}`)
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
  console.log(`${stories.length} streams, ${seconds} s`)
  endWith([atLeast('offsets', offsets, 1), never('differences', wrong.length)])
}
