import {execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import Database from 'better-sqlite3'
import {type TestContext, describe, expect, test} from 'vitest'
import {createBot, runToEnd} from '../support/bot.ts'
import {tool} from '../support/tool.ts'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import type {World} from '../support/world.ts'
import {openWorld} from './open-world.ts'

/** Mounting is root's. */
const isRoot = process.geteuid?.() === 0
const REFUSAL = 'Another bot is running on the database'

type Naming = (path: string, folder: string, context: TestContext) => string

/** Each gives the database another name, and answers it. */
const NAMES: Record<string, Naming> = {
  'a symbolic link': (path, folder) => {
    const name = join(folder, 'other.db')
    symlinkSync(path, name)
    return name
  },
  'a link to its folder': (_, folder) => {
    symlinkSync(folder, join(folder, 'folder'))
    return join(folder, 'folder', 'bosun.db')
  },
  'a hard link': (path, folder) => {
    mkdirSync(join(folder, 'other'))
    const name = join(folder, 'other', 'bosun.db')
    linkSync(path, name)
    return name
  },
  ...(isRoot && {
    'a second mount of the file': (path, folder, context) => {
      const name = join(folder, 'mounted.db')
      writeFileSync(name, '')
      mount(path, name, context)
      return name
    },
    'a second mount of its folder': (_, folder, context) => {
      const name = `${folder}-mounted`
      mkdirSync(name)
      context.onTestFinished(() => rmSync(name, {recursive: true}))
      mount(folder, name, context)
      return join(name, 'bosun.db')
    },
  }),
}

function mount(from: string, to: string, {onTestFinished}: TestContext): void {
  execFileSync('mount', ['--bind', from, to])
  onTestFinished(() => void execFileSync('umount', [to]))
}

const databaseOf = (world: World): string => join(world.folder, 'bosun.db')

describe('a database has one bot, whatever it is called', () => {
  test.for(Object.entries(NAMES))('%s', async ([, name], context) => {
    const world = await openWorld(context, {apart: true})
    const place = await world.say('@Bosun a quick check')
    await world.settled(place)
    const other = name(databaseOf(world), world.folder, context)
    const settings = {...world.settings(), DATABASE_URL: `sqlite:${other}`}
    const refused = await runToEnd(settings)
    expect(refused).toMatchObject({code: 1, stdout: ''})
    expect(refused.stderr).toContain(`Bosun cannot start: ${REFUSAL} ${other}`)
    expect(refused.stderr).toContain(`process ${world.bot.pid() ?? ''} on `)

    const doctor = await tool('doctor', [], settings)
    expect(doctor.out).toContain('· bot: runs')
    const backup = join(world.folder, 'backup.db')
    expect(await tool('backup', [backup], settings)).toMatchObject({code: 0})
    const restored = await tool('restore', [backup], settings)
    expect(restored.err).toContain(REFUSAL)

    // What it wrote last stands in the log beside the other name, and is not lost.
    await world.bot.kill()
    await using next = createBot(() => settings)
    await next.start()
    await world.reply(place, 'a quick check again')
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(await runToEnd(world.settings())).toMatchObject({code: 1, stdout: ''})
    await next.stop()
  })

  test('also when its lock file is deleted under it', async (context) => {
    const world = await openWorld(context)
    rmSync(`${databaseOf(world)}.lock`)
    const {code, stderr} = await runToEnd(world.settings())
    expect(code).toBe(1)
    expect(stderr).toContain(REFUSAL)
    expect(await tool('doctor', [], world.settings())).toMatchObject({
      out: expect.stringContaining('· bot: runs') as unknown,
    })
  })

  test.runIf(isRoot)('also one that cannot see the other name', async (context) => {
    const world = await openWorld(context)
    const folder = `${world.folder}-elsewhere`
    mkdirSync(folder)
    context.onTestFinished(() => rmSync(folder, {recursive: true}))
    const other = join(folder, 'bosun.db')
    writeFileSync(other, '')
    // As another container would have it: the file alone, and nothing of the folder that it is in.
    const script = 'mount --bind "$1" "$2" && mount -t tmpfs none "$3" && exec "$4" src/main.ts'
    const paths = [databaseOf(world), other, world.folder, process.execPath]
    const child = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', ...paths], {
      cwd: join(import.meta.dirname, '..', '..'),
      env: {PATH: process.env['PATH'], ...world.settings(), DATABASE_URL: `sqlite:${other}`},
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    context.onTestFinished(() => void child.kill('SIGKILL'))
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
    expect(await once(child, 'close')).toEqual([1, null])
    expect(said).toContain(`Bosun cannot start: ${REFUSAL}`)
  })

  test('one whose database another has taken over ends at once, and says so', async (context) => {
    const world = await openWorld(context, {apart: true})
    const place = await world.say('@Bosun a quick check')
    await world.settled(place)
    const database = new Database(databaseOf(world))
    database.prepare(`update bot_mark set start = 'another', pid = 4711, host = 'elsewhere'`).run()
    database.close()
    const late = await world.reply(place, 'a quick check that nobody hears')
    expect(await world.bot.ended()).toMatchObject({code: 1})
    expect(world.bot.output()).toContain(
      'Bosun stops: Another bot (process 4711 on elsewhere, since ',
    )
    expect(world.repliesIn(place).filter(({ts}) => ts > late.ts)).toEqual([])
  })
})
