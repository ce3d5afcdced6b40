import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {chownSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import {SERVER, onServer} from './postgres-server.ts'
import {POOLER} from './has-pooler.ts'
import {freePort, unprivileged} from './servers.ts'
import {temporaryFolder} from './temporary-folder.ts'
import {until} from './until.ts'

/** The database at this address, by way of a PgBouncer as it is installed, which goes with the test. */
export async function throughPooler(url: string, mode: 'session' | 'transaction'): Promise<string> {
  if (POOLER === undefined) throw new Error('PgBouncer is missing: install pgbouncer.')
  const {hostname, port: serverPort, username, password, pathname} = new URL(url)
  const folder = temporaryFolder()
  const port = await freePort()
  const settings = join(folder, 'pgbouncer.ini')
  const server = [
    `host=${decodeURIComponent(hostname)} port=${serverPort || '5432'}`,
    `user=${decodeURIComponent(username)}`,
    ...(password === '' ? [] : [`password=${decodeURIComponent(password)}`]),
  ]
  writeFileSync(
    settings,
    [
      ...['[databases]', `* = ${server.join(' ')}`, '[pgbouncer]', `pool_mode = ${mode}`],
      ...[
        'listen_addr = 127.0.0.1',
        `listen_port = ${port}`,
        'unix_socket_dir =',
        'auth_type = any',
      ],
    ].join('\n'),
  )
  const user = unprivileged()
  if (user !== undefined) {
    for (const path of [folder, settings]) chownSync(path, user.uid, user.gid)
  }
  const pooler = spawn(POOLER, [settings], {...user, stdio: 'ignore'})
  const ended = once(pooler, 'exit')
  onTestFinished(async () => {
    pooler.kill('SIGKILL')
    await ended
  })
  const pooled = new URL(SERVER)
  pooled.host = `127.0.0.1:${port}`
  pooled.pathname = pathname
  const answers = () =>
    onServer('select 1', pooled.href).then(
      () => true,
      () => false,
    )
  await until('the pooler answers', answers)
  return pooled.href
}
