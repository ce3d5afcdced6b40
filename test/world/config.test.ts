import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {editRaw} from '../support/raw-database.ts'
import {tool} from '../support/tool.ts'
import {JANE} from '../support/world.ts'
import {openWorld} from './open-world.ts'

test('a file is looked up in Slack and on the agent platform, and the running bot does what it says', async (context) => {
  const world = await openWorld(context, {pace: 0.1, settings: {BOSUN_WATCH_SECONDS: '1'}})
  const {teamId} = world.slack
  const path = join(world.folder, 'bosun.yaml')
  const config = (command: string, ...args: string[]) =>
    tool('config', [command, ...args], world.settings())
  const write = (text: string): string => {
    writeFileSync(path, text)
    return path
  }

  const wrong = write(`team: ${teamId}
workspace: {project: wep}
channels:
  C0NOPE: {settings: {guests: true}}
`)
  const refused = await config('apply', wrong)
  expect(refused).toEqual({
    ...{code: 1, out: ''},
    err: `${path}:2: workspace.project is no project that its connection reaches: wep. Is it web?\n${path}:4: channels.C0NOPE is not known: Slack knows no such channel in ${teamId}, or it is private: invite Bosun there first\n`,
  })
  const elsewhere = await config('plan', write('team: T0ELSE\nworkspace: {guests: true}\n'))
  expect(elsewhere.err).toContain(`:1: team is not known: Bosun is in ${teamId}`)

  const right = write(`team: ${teamId}
workspace: {project: web, instructions: Always be brief.}
channels:
  C0WEB:
    digest: {every: workday, at: "09:00", zone: Asia/Seoul}
    watches: [{project: web}]
`)
  expect((await config('plan', right)).code).toBe(2)
  const isWatched = () =>
    world.requests().some(({method, path: at}) => method === 'GET' && /threads\?.*status=/.test(at))
  expect(isWatched()).toBe(false)
  const {code, out} = await config('apply', right)
  expect([code, out]).toEqual([0, expect.stringContaining('4 changes made.')])
  expect(await config('plan', right)).toMatchObject({code: 0, out: 'Nothing would change.\n'})

  await world.until('the watcher reads the project', isWatched)
  const place = await world.say('@Bosun a quick check')
  await world.settled(place)
  expect(JSON.stringify(world.transcriptIn(place)[0])).toContain('Always be brief.')
  await world.slack.people.command({as: JANE, channel: 'C0WEB', command: '/bosun', text: 'audit'})
  await world.until('the audit tells it', () =>
    world.slack
      .whispers()
      .some(({text}) => text.includes('whoever runs Bosun set what a configuration file says')),
  )
  await world.slack.people.command({as: JANE, channel: 'C0WEB', command: '/bosun', text: 'digest'})
  await world.until('the digest is on', () =>
    world.slack.whispers().some(({text}) => text.includes('from Monday to Friday at 09:00')),
  )

  const exported = await config('export')
  expect(exported.out).toContain('name: web\n')
  expect(await config('plan', write(exported.out))).toMatchObject({code: 0})

  // Somebody is faster, while the agent platform is being asked.
  const fault = {kind: 'delay', ms: 60_000} as const
  const slow = world.platform.control.faults.add({match: {path: '/projects'}, times: 1, fault})
  const late = config(
    'apply',
    write(exported.out.replace(/project:\n +id: .*\n +name: web/, 'project: api')),
  )
  await world.until('it asks', () => world.platform.control.faults.list()[0]?.hits === 1)
  await editRaw(
    join(world.folder, 'bosun.db'),
    'update bindings set settings = ? where channel = ?',
    ...['{"noise": "quiet"}', ''],
  )
  world.platform.control.faults.remove(slow)
  expect(await late).toMatchObject({
    ...{code: 1, out: ''},
    err: expect.stringContaining(
      `Somebody changed settings of ${teamId} meanwhile: nothing was changed`,
    ) as string,
  })
  expect((await config('export')).out).toContain('noise: quiet')
})
