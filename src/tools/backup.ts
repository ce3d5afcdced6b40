import {statSync} from 'node:fs'
import {readDatabaseConfig} from '../config/config.ts'
import {createSealer} from '../security/seal.ts'
import {backUp} from '../store/sqlite/upkeep/backup.ts'
import {explain} from '../store/sqlite/database-file.ts'
import {ToolProblem, fileOf, runTool} from './tool.ts'

const help = `
npm run backup -- FILE [--force]

Writes the database, as it stands in one instant, into FILE, while Bosun runs or not. The file appears once it is whole
and was read through, and only you can read it. --force replaces a file that is there.

What is sealed in it opens with BOSUN_KEYS alone: keep them elsewhere. npm run restore puts it back.
`

await runTool({
  help,
  options: {force: {type: 'boolean', default: false}},
  takes: 1,
  run: async ({values, positionals: [file]}) => {
    if (file === undefined) throw new ToolProblem('Say where to: npm run backup -- FILE')
    const {database, sealingKeys} = readDatabaseConfig(process.env)
    const path = fileOf(database.path, 'pg_dump --format=custom --file=FILE "$DATABASE_URL"')
    if (statSync(path, {throwIfNoEntry: false}) === undefined) {
      throw new ToolProblem(`The database ${path} is not there. Check DATABASE_URL.`)
    }
    const holding = write(path, file, () =>
      backUp({path, sealer: createSealer(sealingKeys)}, file, values.force ? 'replace' : 'refuse'),
    )
    if (holding === 'exists') {
      throw new ToolProblem(
        `${file} is there already. Give another name, or --force to replace it.`,
      )
    }
    const {size} = statSync(file)
    const keys = holding.keyIds.length === 0 ? 'none' : holding.keyIds.join(', ')
    console.log(`${file}: ${size} bytes, whole; sealing keys that it needs: ${keys}`)
    return undefined
  },
})

/** Troubles of the new file's folder are told as they are, those of the database in its words. */
function write<Result>(path: string, file: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) {
      throw new ToolProblem(`${file} cannot be written: ${error.message}`, {cause: error})
    }
    throw explain(path, error)
  }
}
