import {randomBytes} from 'node:crypto'
import {readDatabaseConfig} from '../config/config.ts'
import {StoreError} from '../store/database/errors.ts'
import {countSealed, problemOf, readSealedValues, rotate} from '../store/database/sealed-values.ts'
import {seekRunsOf} from '../store/tables/hooks/runs.ts'
import {unsay} from '../store/tables/pull-requests/naming.ts'
import type {ToolStore} from '../store/tool-store.ts'
import {ToolProblem, counted, openDatabase, runTool} from './tool.ts'

const help = `
npm run keys -- make [--id ID]   prints a new sealing key for BOSUN_KEYS
npm run keys -- check            which keys seal how many values, and whether all of them open
npm run keys -- rotate           seals everything anew with the first key of BOSUN_KEYS; Bosun may run meanwhile
npm run keys -- drop ID          deletes the sealed value of a connection, a workspace or a hook that does not open any more;
                                 stop Bosun first

To change the key: make one, put it in front of BOSUN_KEYS and leave the old one behind it, restart Bosun, rotate, and
take the old one out.
`

await runTool({
  help,
  options: {id: {type: 'string'}},
  takes: 2,
  run: async ({values, positionals: [command, row]}) => {
    if (command !== 'drop' && row !== undefined) {
      throw new ToolProblem('Only drop takes an ID. A new key is named with --id.')
    }
    switch (command) {
      case 'make':
        make(values.id)
        return undefined
      case 'check':
        return check()
      case 'rotate':
        return turn()
      case 'drop':
        return drop(row)
      default:
        throw new ToolProblem('Say what to do: make, check, rotate or drop. --help tells more.')
    }
  },
})

function make(id = `k${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`): void {
  if (!/^[\w-]{1,32}$/.test(id)) {
    throw new ToolProblem('--id takes 1 to 32 letters, digits, _ and -.')
  }
  console.log(`${id}:${randomBytes(32).toString('base64')}`)
}

async function check(): Promise<number> {
  await using store = await openDatabase()
  const keys = readDatabaseConfig(process.env).sealingKeys
  const counts = await countSealed(store.db)
  for (const [index, {id}] of keys.entries()) {
    const count = counts.get(id) ?? 0
    const role = index === 0 ? ' and seals from now on' : count === 0 ? ': it may be removed' : ''
    console.log(`${id} seals ${counted(count, 'value')}${role}`)
  }
  const problems = await readProblems(store)
  for (const problem of problems) console.error(problem)
  return problems.length === 0 ? 0 : 1
}

async function readProblems({db, sealer}: ToolStore): Promise<string[]> {
  const values = await readSealedValues(db)
  return [...new Set(values.flatMap((value) => problemOf(value, sealer) ?? []))]
}

async function turn(): Promise<number> {
  const [first] = readDatabaseConfig(process.env).sealingKeys
  if (first === undefined) {
    throw new ToolProblem('BOSUN_KEYS is empty. Make a key with: npm run keys -- make')
  }
  await using store = await openDatabase()
  // What it sealed behind our back would bear the old key, and it may not be able to open what we seal.
  if (store.isBotRunning && !store.doAllSealWith(first.id)) {
    throw new ToolProblem(
      `The running Bosun does not seal with "${first.id}" yet. Restart it, or each of them where several run, with the same BOSUN_KEYS, "${first.id}" in front, and rotate then.`,
    )
  }
  await store.beginSealing()
  const {resealed, problems, removable} = await rotate(store, store.sealer, first.id)
  console.log(`${counted(resealed, 'value')} sealed anew with ${first.id}`)
  for (const id of removable) {
    console.log(
      `${id} seals nothing any more: take it out of BOSUN_KEYS, and keep it as long as backups from before`,
    )
  }
  for (const problem of problems) console.error(problem)
  return problems.length === 0 ? 0 : 1
}

async function drop(id: string | undefined): Promise<undefined> {
  if (id === undefined) throw new ToolProblem('Say which: npm run keys -- drop ID')
  await using store = await openDatabase()
  if (store.isBotRunning) throw new ToolProblem('Bosun is running: stop it first.')
  const value = (await readSealedValues(store.db)).find(({row}) => row === id)
  if (value === undefined) throw new ToolProblem(`Nothing of ${id} is sealed here.`)
  if (problemOf(value, store.sealer) === undefined) {
    throw new StoreError('keys', `The value of ${id} opens: there is no reason to drop it.`)
  }
  await store.write(async (transaction) => {
    await transaction
      .updateTable('connections')
      .set({key: null, state: 'gone'})
      .where('id', '=', id)
      .execute()
    await transaction.deleteFrom('installs').where('id', '=', id).execute()
    // As of any hook that is deleted.
    await seekRunsOf(transaction, id)
    await transaction.deleteFrom('deliveries').where('hook_id', '=', id).execute()
    await unsay(transaction, id)
    await transaction.deleteFrom('hooks').where('id', '=', id).execute()
  })
  console.log(droppedText(value))
}

function droppedText({table, row}: {table: string; row: string}): string {
  switch (table) {
    case 'connections':
      return `The key of the connection ${row} is deleted. Its channels say so, and an admin can give another one there.`
    case 'hooks':
      return `The hook ${row} is deleted with its deliveries. An admin can make another one: /bosun hooks new`
    default:
      return `The tokens of ${row} are deleted. Install the app there again.`
  }
}
