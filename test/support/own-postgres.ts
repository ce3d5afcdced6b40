import {execFileSync, spawn} from 'node:child_process'
import {chownSync} from 'node:fs'
import {once} from 'node:events'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import {freePort, unprivileged} from './servers.ts'
import {temporaryFolder} from './temporary-folder.ts'

interface OwnServer {
  url: string
  /** Cuts off whoever is connected; then it answers again. */
  restart(): Promise<void>
}

/** Where the programs of a server are; `undefined` where only those of a client are. */
export function serverPrograms(): string | undefined {
  try {
    const folder = execFileSync('pg_config', ['--bindir'], {encoding: 'utf8'}).trim()
    execFileSync(join(folder, 'initdb'), ['--version'])
    return folder
  } catch {
    return undefined
  }
}

/** A server that a test has for itself, and may stop. */
export async function startServer(programs: string): Promise<OwnServer> {
  const folder = temporaryFolder()
  const port = await freePort()
  const user = unprivileged()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const run = async (program: string, parameters: string[]): Promise<void> => {
    const how = {...user, cwd: folder, stdio: 'ignore'} as const
    const [code] = (await once(spawn(join(programs, program), parameters, how), 'exit')) as [number]
    if (code !== 0) throw new Error(`${program} ended with ${code}`)
  }
  const control = (...parameters: string[]): Promise<void> =>
    run('pg_ctl', ['--pgdata', data, '--wait', ...parameters])
  await run('initdb', ['--pgdata', data, '--username', 'bosun', '--auth', 'trust', '--no-sync'])
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`
  const log = join(folder, 'log')
  await control('--log', log, '--options', settings, 'start')
  onTestFinished(() => control('--mode', 'immediate', 'stop'))
  return {
    url: `postgres://bosun@127.0.0.1:${port}/postgres`,
    restart: () => control('--log', log, '--mode', 'fast', 'restart'),
  }
}
