import {type ParseArgsConfig, parseArgs} from 'node:util'
import {ConfigError, readDatabaseConfig} from '../config/config.ts'
import {factsOf} from '../security/error-facts.ts'
import {isPostgres} from '../store/is-postgres.ts'
import {StoreError, codeOf} from '../store/database/errors.ts'
import {type ToolStore, openToolStore} from '../store/tool-store.ts'

/** Something is wrong that whoever calls can mend: one line for each problem. */
export class ToolProblem extends Error {
  override name = 'ToolProblem' as const
}

type Options = NonNullable<ParseArgsConfig['options']>

interface Tool<Given extends Options> {
  help: string
  options: Given
  /** How many arguments it knows besides options; none without it. */
  takes?: number
  /** The exit code for what is wrong with the call or around it; 1 where that means nothing else. */
  troubleCode?: number
  /** Answers the exit code; none for 0. */
  run: (given: Arguments<Given>) => Promise<number | undefined>
}

type Arguments<Given extends Options> = ReturnType<
  typeof parseArgs<{options: Given; allowPositionals: true; strict: true}>
>

/** Runs a tool as a process: `--help`, clear lines for what is wrong, and an exit code. */
export async function runTool<Given extends Options>({
  help,
  options,
  takes = 0,
  troubleCode = 1,
  run,
}: Tool<Given>): Promise<void> {
  // A reader that has read enough (`| head`) is no failure, and ends nothing that is being done.
  const unwritten = (error: Error): void => {
    if (codeOf(error) === 'EPIPE') return
    console.error(`What it says could not be written (${codeOf(error)}).`)
    process.exitCode = troubleCode
  }
  process.stdout.once('error', unwritten).on('error', () => undefined)
  process.stderr.on('error', () => undefined)
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    console.log(help.trim())
    return
  }
  try {
    const code = await run(read(args, options, takes))
    process.exitCode ??= code
  } catch (error) {
    for (const line of linesOf(error)) console.error(plain(line))
    process.exitCode = troubleCode
  }
}

/** What nobody asked for is refused: it may have been meant to narrow what is done. */
function read<Given extends Options>(
  args: string[],
  options: Given,
  takes: number,
): Arguments<Given> {
  const given = parse(args, options)
  if (given.positionals.length > takes) throw wrong('There is an argument too many.')
  const names = given.tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
  const twice = names.find(
    (name, index) => names.indexOf(name) < index && options[name]?.multiple !== true,
  )
  if (twice !== undefined) throw wrong(`--${twice} is there twice.`)
  return given
}

function parse<Given extends Options>(args: string[], options: Given) {
  try {
    return parseArgs({args, options, allowPositionals: true, strict: true, tokens: true})
  } catch (error) {
    const why = error instanceof Error ? error.message.split('. ', 1)[0] : String(error)
    throw wrong(`${why ?? ''}.`)
  }
}

function wrong(what: string): ToolProblem {
  return new ToolProblem(`${what} --help tells what there is.`)
}

function linesOf(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.problems
  if (error instanceof ToolProblem || error instanceof StoreError) return error.message.split('\n')
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') {
    return ['The disk is full: free some space. Nothing was left half-written.']
  }
  if (error instanceof Error && 'syscall' in error) return [error.message]
  return [`That is a bug. ${JSON.stringify(factsOf(error))}`]
}

/** One line, in which others may have words. */
export function say(line: string): void {
  console.log(plain(line))
}

/** On a terminal it moves no cursor, makes no further line and turns nothing around. */
function plain(line: string): string {
  return line.replaceAll(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '\ufffd')
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? `1 ${one}` : `${count} ${many}`
}

/** Files are SQLite's alone. @throws {ToolProblem} where the database is a PostgreSQL's. */
export function fileOf(path: string, instead: string): string {
  if (!isPostgres(path)) return path
  throw new ToolProblem(`DATABASE_URL is a PostgreSQL's, which has tools of its own: ${instead}`)
}

/** The database that the environment names. */
export function openDatabase(): Promise<ToolStore> {
  const {database, sealingKeys} = readDatabaseConfig(process.env)
  return openToolStore({path: database.path, sealingKeys})
}
