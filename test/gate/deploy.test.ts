import {spawnSync} from 'node:child_process'
import {existsSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {z} from 'zod'
import {
  composeSchema,
  environmentSchema,
  image,
  manifests,
  objectsIn,
  read,
  unknownSettings,
} from '../support/deployed.ts'
import {temporaryFolder} from '../support/temporary-folder.ts'
import {root} from './source-tree.ts'

describe.each(['compose.yaml', 'compose.several.yaml'])('%s', (file) => {
  const {services, volumes} = composeSchema.parse(parse(read(file)))
  const bots = Object.values(services).filter(({build}) => build !== undefined)

  test('names what is there: settings, services, volumes and files', () => {
    expect(bots).not.toEqual([])
    expect(bots.flatMap(({environment = {}}) => unknownSettings(Object.keys(environment)))).toEqual(
      [],
    )
    const mounted = Object.values(services).flatMap(({volumes: own = []}) => own)
    const sources = mounted.map((volume) => volume.split(':')[0] ?? '')
    const strange = sources.filter((it) => !(it in volumes) && !existsSync(join(root, it)))
    expect(strange).toEqual([])
    const needed = Object.values(services).flatMap(({depends_on: names = []}) =>
      Array.isArray(names) ? names : Object.keys(names),
    )
    expect(needed.filter((name) => !(name in services))).toEqual([])
  })

  test('lets each bot end in peace, on the port of the image, and keeps a file in its volume', () => {
    for (const {environment = {}, stop_grace_period: grace = '', volumes: own = []} of bots) {
      expect(Number.parseInt(grace)).toBeGreaterThanOrEqual(12)
      expect(environment['PORT']).toBe(String(image.port))
      const isFile = environment['DATABASE_URL']?.startsWith('sqlite:') === true
      expect(own.map((volume) => volume.split(':')[1])).toEqual(isFile ? [image.volume] : [])
      if (isFile) expect(environment['DATABASE_URL']).toContain(`sqlite:${image.volume}/`)
    }
    // An outage of the platform writes a line for each try of each stream.
    expect(bots.map(({logging}) => logging?.options['max-size'])).toEqual(bots.map(() => '10m'))
    const closed = bots.map((bot) => [bot.read_only, bot.cap_drop, bot.security_opt?.length])
    expect(closed).toEqual(bots.map(() => [true, ['ALL'], 1]))
    const published = Object.values(services).flatMap(({ports = []}) => ports)
    expect(published).toEqual([`127.0.0.1:${image.port}:${image.port}`])
  })
})

const UNIT = 'deploy/bosun.service'
const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, {encoding: 'utf8'})
/** It is part of every system that would run the unit. */
const HAS_SYSTEMD =
  process.env['BOSUN_SYSTEMD_TESTS'] === 'required' || analyze('--version').status === 0

describe('the unit of systemd', () => {
  test('names settings and folders that are there, and starts what npm start does', () => {
    const unit = read(UNIT)
    const [, environment = ''] = /^Environment=(.*)$/m.exec(unit) ?? []
    expect(unknownSettings(environment.split(' ').map((pair) => pair.split('=')[0] ?? ''))).toEqual(
      [],
    )
    expect(unit).toContain('\nStateDirectory=bosun\n')
    expect(environment).toContain('DATABASE_URL=sqlite:/var/lib/bosun/')
    expect(unit).toContain('\nExecStart=/opt/bosun/node_modules/.bin/node src/main.ts\n')
    // That Node is a package for development, which a production install leaves out.
    expect(read('docs/deploy.md')).not.toContain('--omit')
    for (const [, path = ''] of unit.matchAll(/\/opt\/bosun\/(docs\/\S+)/g)) {
      expect(existsSync(join(root, path))).toBe(true)
    }
  })

  test.runIf(HAS_SYSTEMD)('is well-formed, and lets the service do little', () => {
    const folder = temporaryFolder()
    const path = join(folder, 'bosun.service')
    const here = read(UNIT).replaceAll('/opt/bosun/node_modules/.bin/node', process.execPath)
    writeFileSync(path, here.replaceAll('/opt/bosun', root))
    const {status, stderr} = analyze('verify', '--man=no', path)
    expect([status, stderr]).toEqual([0, ''])
    writeFileSync(join(folder, 'wrong.service'), here.replace('MemoryMax', 'MemoryMost'))
    expect(analyze('verify', '--man=no', join(folder, 'wrong.service')).stderr).toContain(
      'MemoryMost',
    )

    const rated = analyze('security', '--offline=true', '--no-pager', path).stdout
    const [, exposure = ''] = /exposure level for bosun\.service: ([\d.]+)/.exec(rated) ?? []
    expect(Number(exposure)).toBeLessThanOrEqual(1.5)
    expect(read('docs/deploy.md')).toContain(`rates its exposure ${exposure},`)
  })
})

describe('docs/deploy.md', () => {
  const page = read('docs/deploy.md')
  const ways = page.split(/^## /m).slice(1)

  test('tells each way in ten lines', () => {
    expect(ways).toHaveLength(4)
    for (const way of ways) {
      const lines = way
        .split('\n')
        .slice(1)
        .filter((line) => line !== '')
      expect([way.split('\n', 1)[0], lines.length <= 10]).toEqual([way.split('\n', 1)[0], true])
    }
  })

  test('names files, scripts, services and settings that are there', () => {
    const links = [...page.matchAll(/\]\(([^)#]+)/g)].map(([, path = '']) => join('docs', path))
    expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const applied = [
      ...page.matchAll(/(?:-f|cp \/opt\/bosun\/) ?((?:deploy\/)?[\w./-]+\.(?:yaml|service))/g),
    ]
    expect(applied.length).toBeGreaterThanOrEqual(4)
    expect(
      applied.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path))),
    ).toEqual([])
    const {scripts} = z.object({scripts: environmentSchema}).parse(JSON.parse(read('package.json')))
    const run = [...page.matchAll(/npm (?:--prefix \S+ )?run ([\w-]+)/g)].map(
      ([, name = '']) => name,
    )
    expect(run.filter((name) => scripts[name] === undefined)).toEqual([])
    const set = [...page.matchAll(/`?\b((?:[A-Z]+_)+[A-Z]+)\b/g)].map(([, name = '']) => name)
    expect(unknownSettings(set)).toEqual([])
    const ports = [...page.matchAll(/port (\d+)|:(\d{4})\b/g)].map(([, one, other]) =>
      Number(one ?? other),
    )
    expect([...new Set(ports)]).toEqual([image.port])
    const services = Object.keys(composeSchema.parse(parse(read('compose.yaml'))).services)
    for (const [, name = ''] of page.matchAll(/docker compose (?:exec|run --rm|logs -f) (\w+)/g)) {
      expect(services).toContain(name)
    }
    const named = manifests
      .flatMap(objectsIn)
      .map(({kind, metadata}) => `${kind.toLowerCase()}/${metadata.name}`)
    for (const [, object = ''] of page.matchAll(/((?:statefulset|deployment)\/\w+)/g)) {
      expect(named).toContain(object)
    }
  })
})
