// A bot that dies by its own hand around a commit: started by tests instead of `src/main.ts`.
import {readFileSync, rmSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {pino} from 'pino'
import {startBot} from '../../src/app/app.ts'
import {readConfig} from '../../src/config/config.ts'
import {createLeaks} from '../../src/security/leaks.ts'
import {openStore} from '../../src/store/store.ts'
import {type DeathWish, mayDie} from './killing-store.ts'

const {env} = process
const database = (env['DATABASE_URL'] ?? '').replace(/^sqlite:/, '')
const wishFile = join(dirname(database), 'death-wish.json')
let hasWish = true
// Written beforehand: it holds from the start on. Written later: from the signal on.
process.on('SIGUSR2', () => {
  hasWish = true
})

const takeWish = (): DeathWish | undefined => {
  if (!hasWish) return undefined
  hasWish = false
  try {
    const request = JSON.parse(readFileSync(wishFile, 'utf8')) as DeathWish
    rmSync(wishFile)
    return request
  } catch {
    return undefined // none was made
  }
}

const log = pino({level: 'info', base: null}, pino.destination({dest: 2, sync: true}))
process.on('unhandledRejection', (error) => log.error({err: error}, 'A promise was left alone'))
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
const ended = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()))
{
  await using bot = await startBot(
    readConfig(env),
    {log, leaks: createLeaks()},
    stop.signal,
    async (options) => mayDie(await openStore(options), takeWish),
  )
  console.log(`Bosun is ready (${bot.mode}, port ${bot.port})`)
  await ended
}
process.exit()
