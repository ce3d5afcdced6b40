import {ConfigError, readDatabaseConfig} from '../config/config.ts'
import {parseDatabase} from '../config/database.ts'
import {moveStore} from '../store/moving/move.ts'
import {ToolProblem, counted, runTool} from './tool.ts'

const help = `
npm run migrate-store -- FROM TO

Moves everything from one database into another one, for example from sqlite:data/bosun.db to postgres://bosun@host/bosun,
or back. Both are named as in DATABASE_URL; PGPASSWORD may hold the password of a PostgreSQL. Stop Bosun first.

TO must hold nothing, unless FROM came from there. Before it counts everything is read back, compared and unsealed. From then
on no bot starts on FROM, which keeps what it holds. Whatever cuts it off, repeat it with the same two.
`

const TELL_EVERY_MS = 5000

await runTool({
  help,
  options: {},
  takes: 2,
  run: async ({positionals: [from, to]}) => {
    if (from === undefined || to === undefined) {
      throw new ToolProblem(
        'Say from where to where: npm run migrate-store -- sqlite:data/bosun.db postgres://bosun@host/bosun',
      )
    }
    const {sealingKeys} = readDatabaseConfig(process.env)
    const ends = {from: pathOf('FROM', from), to: pathOf('TO', to)}
    const startedMs = performance.now()
    const {
      isDone,
      rows,
      replaced,
      to: name,
    } = await moveStore({...ends, sealingKeys, onProgress: createTeller()})
    if (isDone) {
      console.log(`Everything is in ${name} already: nothing was changed.`)
      return undefined
    }
    for (const [table, count] of rows) console.log(`${String(count).padStart(9)}  ${table}`)
    const all = [...rows.values()].reduce((sum, count) => sum + count, 0)
    const seconds = (performance.now() - startedMs) / 1000
    console.log(
      `${counted(all, 'row')} in ${seconds.toFixed(1)} s, ${Math.round(all / seconds)} a second; read back and compared.`,
    )
    if (replaced > 0) {
      console.log(
        `${counted(replaced, 'text')} held U+0000, which PostgreSQL does not take: U+FFFD stands there now.`,
      )
    }
    console.log(`Everything is in ${name}: name it in DATABASE_URL, and start Bosun.`)
    return undefined
  },
})

function pathOf(name: string, text: string): string {
  const problems: string[] = []
  const path = parseDatabase(text, (problem) =>
    problems.push(problem.replace('DATABASE_URL', name)),
  )
  if (problems.length > 0) throw new ConfigError(problems)
  return path
}

/** A line on standard error now and then. */
function createTeller(): Parameters<typeof moveStore>[0]['onProgress'] {
  let toldMs = performance.now()
  return ({doing, table, rows}) => {
    const nowMs = performance.now()
    if (nowMs - toldMs < TELL_EVERY_MS) return
    toldMs = nowMs
    console.error(`${table}: ${counted(rows, 'row')} ${doing}`)
  }
}
