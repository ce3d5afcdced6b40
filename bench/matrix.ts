import {parseArgs} from 'node:util'
import {allCells, runMatrix} from '../test/support/matrix.ts'
import {runLeavers, runSight} from '../test/support/sight/matrix.ts'
import {atLeast, endWith, never} from './lines.ts'

/**
 * The judgement of the bot against that of the documents, as `test/support/matrix-oracle` has it. Acts: everything that
 * can be done, by every kind of person, in every kind of channel of two workspaces, to what is there and to what is
 * not. Sight: everybody looks from everywhere for work of every origin, judged by what Slack showed and what reached
 * the platform. `--every 13`: a sample; `--part acts`: one of the parts.
 */
const {values} = parseArgs({
  options: {every: {type: 'string', default: '1'}, part: {type: 'string'}},
})
const every = Number(values.every)
const isMeant = (part: string): boolean => (values.part ?? part) === part
const startMs = performance.now()
const wrong: string[] = []
let cells = 0

if (isMeant('acts')) {
  const report = await runMatrix(allCells().filter((_cell, index) => index % every === 0))
  tell('acts: cells', report.cells)
  tell('acts: allowed', report.allowed)
  tell('acts: denied', report.denied)
  tell('acts: allowed, and a trace of it seen', report.traces)
  wrong.push(...report.wrong)
  cells += report.cells
}
for (const [part, run] of [
  ['sight', () => runSight({every})],
  ['leavers', runLeavers],
] as const) {
  if (!isMeant(part)) continue
  const report = await run()
  tell(`${part}: cells`, report.cells)
  tell(`${part}: allowed, and seen`, report.shown)
  tell(`${part}: denied`, report.hidden)
  tell(`${part}: left open by the documents`, report.open)
  wrong.push(...report.wrong)
  cells += report.cells
}
tell('seconds', Math.round((performance.now() - startMs) / 1000))
for (const line of wrong.slice(0, 200)) console.log(line.slice(0, 300))
endWith([atLeast('cells', cells, 1), never('wrong cells', wrong.length)])

function tell(name: string, value: number): void {
  console.log(name.padEnd(40), value)
}
