import {parseArgs} from 'node:util'
import {allCells, runMatrix} from '../test/support/matrix.ts'

/**
 * Everything that can be done, by every kind of person, in every kind of channel of two workspaces, to what is there
 * and to what is not: the judgement of the bot against that of the documents. Ends with 1 when one of them differs.
 */
const {values} = parseArgs({options: {every: {type: 'string', default: '1'}}})
const cells = allCells().filter((_cell, index) => index % Number(values.every) === 0)
const startMs = performance.now()
const report = await runMatrix(cells)
const rows: [string, number][] = [
  ['cells', report.cells],
  ['allowed', report.allowed],
  ['denied', report.denied],
  ['allowed, and a trace of it seen', report.traces],
  ['wrong', report.wrong.length],
  ['seconds', Math.round((performance.now() - startMs) / 1000)],
]
for (const [name, value] of rows) console.log(name.padEnd(40), value)
for (const line of report.wrong.slice(0, 50)) console.log(line)
if (report.wrong.length > 0) process.exitCode = 1
