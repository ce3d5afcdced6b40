import {readDatabaseConfig} from '../config/config.ts'
import {createSealer} from '../security/seal.ts'
import {restore} from '../store/sqlite/upkeep/backup.ts'
import {explain} from '../store/sqlite/database-file.ts'
import {ToolProblem, fileOf, runTool} from './tool.ts'

const help = `
npm run restore -- FILE

Puts a backup into the place of the database, after it was read through and its seals were opened. Stop Bosun first. What
stood there is kept beside it. What was said in Slack since the backup is posted there again, and who was forgotten
since then is back: run npm run forget once more.
`

await runTool({
  help,
  options: {},
  takes: 1,
  run: async ({positionals: [file]}) => {
    if (file === undefined) throw new ToolProblem('Say which backup: npm run restore -- FILE')
    const {database, sealingKeys} = readDatabaseConfig(process.env)
    const path = fileOf(
      database.path,
      'stop Bosun, dropdb and createdb --owner=ROLE that database, then pg_restore --dbname "$DATABASE_URL" FILE',
    )
    const {aside} = await attempt(file, () =>
      restore({path, sealer: createSealer(sealingKeys)}, file, new Date()),
    )
    console.log(`${path} is what ${file} holds.`)
    if (aside !== undefined) {
      console.log(`What stood there is ${aside}: delete it once all is well.`)
    }
    return undefined
  },
})

async function attempt<Result>(file: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error
    throw explain(file, error)
  }
}
