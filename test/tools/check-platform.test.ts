import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import {BARE_ENV} from '../support/bare-env.ts'
import {BROKEN_PLATFORMS, SLOW} from '../support/broken-platforms/breaks.ts'
import {type Judged, judge, judgeAll} from '../support/broken-platforms/judge.ts'
import {temporaryFolder} from '../support/temporary-folder.ts'
import {isRecord} from '../../src/security/foreign-json.ts'
import {Secret} from '../../src/security/secret.ts'
import {checkPlatform} from '../../src/tools/check-platform/run.ts'
import {tool} from '../support/tool.ts'
import {until} from '../support/until.ts'
import {openPlatform, sharedPlatform} from '../local/platform/open-platform.ts'

const ROOT = join(import.meta.dirname, '..', '..')

const quick = BROKEN_PLATFORMS.filter(({name}) => !SLOW.has(name))
/** All at once: they mostly wait. */
let whole: Judged
let judged: Judged[]
beforeAll(async () => {
  const all = judgeAll(quick, ({breaks, only}) => judge(breaks(), {only}))
  ;[whole, judged] = await Promise.all([judge({}), all])
})

describe('of the embedded platform', () => {
  test('says that every rule holds, and leaves nothing behind', () => {
    const {report, named, left} = whole
    expect(report.verdicts.filter(({state}) => state === 'broken')).toEqual([])
    expect(named).toEqual([])
    const untried = report.verdicts.filter(({state}) => state === 'untried')
    expect(untried.map(({rule}) => rule)).toEqual(['a 429 says when to come again'])
    expect(report.verdicts.length).toBeGreaterThan(100)
    expect(left).toBe(0)
    expect(report.left).toEqual([])
    // In each section of the API document that a client may try.
    const sections = new Set(report.verdicts.map(({section}) => section))
    const wanted = ['4.1', '4.2', '4.3', '4.4', '4.5', '4.6', '4.7', '4.8', '4.9', '4.10', '4.11']
    expect([...sections]).toEqual(expect.arrayContaining([...wanted, '5', '7', '8']))
  })

  test('with a key that may only read tries what that may, and makes nothing', async () => {
    const {report, named, left} = await judge({}, {key: 'readOnly', patienceMs: 500})
    expect(named).toEqual([])
    const untried = report.verdicts.filter(({why}) => why?.includes('the key may not do this'))
    expect(untried.length).toBeGreaterThan(30)
    expect(report.verdicts.filter(({state}) => state === 'holds').length).toBeGreaterThan(15)
    expect(left).toBe(0)
  })
})

describe('of a platform that breaks a rule', () => {
  test('there are 25 and more', () => {
    expect(quick.length).toBeGreaterThan(50)
    const names = BROKEN_PLATFORMS.map(({name}) => name)
    expect(new Set(names).size).toBe(names.length)
    expect([...SLOW].filter((name) => !names.includes(name))).toEqual([])
  })

  test.each(quick.map(({name}, at) => ({name, at})))('$name: names it, and no other', ({at}) => {
    const {named = [], report} = judged[at] ?? {}
    expect(named.toSorted()).toEqual(quick[at]?.named.toSorted())
    const broken = report?.verdicts.filter(({state}) => state === 'broken') ?? []
    for (const {expected, seen, bosun} of broken) {
      expect([expected, seen, bosun].filter((words) => !words)).toEqual([])
    }
  })
})

describe('whatever a platform answers', () => {
  const answers: readonly unknown[] = [
    ...[null, [], 'text', {}, {items: null, cursor: 7}, {items: [null, 1, {}]}],
    {id: 'x', status: 'active', items: [{id: 'x'}], cursor: 'x', rules: [null], outcome: 'x'},
  ]

  test.each(answers.map((body) => ({body})))('$body: it comes to its end', async ({body}) => {
    const headers = {'content-type': 'application/json'}
    const {report, named} = await judge(
      {answer: () => ({status: 200, headers, body})},
      {patienceMs: 100},
    )
    // Where there is no object at all, the first rule ends it.
    expect(named.length).toBeGreaterThan(isRecord(body) ? 20 : 0)
    const seen = report.verdicts.flatMap((verdict) => verdict.seen ?? [])
    expect(seen.filter((words) => /TypeError|Cannot read|not a function/.test(words))).toEqual([])
  })

  test('and where it does not answer at all', async () => {
    const report = await checkPlatform({
      baseUrl: 'http://127.0.0.1:9/api/v1',
      key: new Secret('key'),
      patienceMs: 100,
      signal: new AbortController().signal,
    })
    expect(report.stopped).toBe('Nothing else can be tried.')
    expect(report.verdicts.find(({state}) => state === 'broken')).toMatchObject({
      expected: 'an answer',
      seen: expect.stringMatching(/fetch failed/) as string,
    })
  })
})

describe('as a command', async () => {
  const platform = await sharedPlatform({pace: 0.05})
  const settings = {PLATFORM_BASE_URL: platform.baseUrl, PLATFORM_API_KEY: platform.keys.human}

  test('prints a report by sections, writes it as JSON, and never the key', async () => {
    const file = join(temporaryFolder(), 'report.json')
    const {code, out, err} = await tool(
      'check-platform',
      ['--only', '4.5', '--only', '7', '--json', file],
      settings,
    )
    expect(err).toBe('')
    expect(code).toBe(0)
    expect(out).toContain('4.5 Projects and users: 3 of 3 rules hold')
    expect(out).toContain('✓ an absent thread answers ThreadNotFound (7)')
    const json = readFileSync(file, 'utf8')
    expect(JSON.parse(json)).toMatchObject({baseUrl: platform.baseUrl, left: []})
    expect(out + json).not.toContain(platform.keys.human)
  })

  test('ends with 1 where a rule is broken, and says what Bosun does there', async () => {
    const rule = {match: {path: '/users'}, times: null}
    const fault = {kind: 'answer', status: 500, body: {key: platform.keys.human}, applied: false}
    const id = platform.control.faults.add({...rule, fault} as never)
    const {code, out} = await tool('check-platform', ['--only', '4.5'], settings)
    platform.control.faults.remove(id)
    expect(code).toBe(1)
    expect(out).toMatch(
      /✗ users are listed \(4\.5\)\n +expected .*\n +seen +GET \/users answered 500\n +Bosun +work is attributed/,
    )
    expect(out).not.toContain(platform.keys.human)
  })

  test('with a wrong key says so of every section, and makes nothing', async () => {
    const before = platform.threads().length
    const {code, out} = await tool(
      'check-platform',
      ['--key', 'wrong', '--patience', '1'],
      settings,
    )
    expect(code).toBe(1)
    expect(out).toContain('✗ the key opens the API (5)')
    expect(out).toContain('It did not come to its end. Nothing else can be tried.')
    expect(out).toContain('What was made for this is archived or deleted.')
    expect(platform.threads()).toHaveLength(before)
  })

  test.each([
    [['--base-url', 'http://platform.example.com/api/v1'], 'must start with https://'],
    [['--base-url', 'https://platform.example.com'], 'must end in /api/v1'],
    [['--pull-request', 'twelve'], '--pull-request must be like acme/web#12'],
    [['--patience', 'long'], '--patience must be a number'],
    [['--only', '4.3', '--only', '43'], '--only knows no section 43. There are 3.1, 3.3,'],
    [['surprise'], 'There is an argument too many'],
  ])('says what is wrong with %j', async (args, problem) => {
    const {code, err} = await tool('check-platform', args, settings)
    expect(code).toBe(1)
    expect(err).toContain(problem)
  })

  test('a project that is set to nothing is that of nobody: it takes the first', async () => {
    const PLATFORM_PROJECT_ID = ' '
    const args = ['--only', '4.1']
    const {code, out} = await tool('check-platform', args, {...settings, PLATFORM_PROJECT_ID})
    expect(code).toBe(0)
    expect(out).not.toContain('ProjectNotFound')
    expect(out).toContain('What was made for this is archived or deleted.')
  })

  test('asks for an address and a key where neither is named', async () => {
    expect((await tool('check-platform', [], {})).err).toContain('PLATFORM_BASE_URL')
    const {err} = await tool('check-platform', [], {PLATFORM_BASE_URL: platform.baseUrl})
    expect(err).toBe('Set PLATFORM_API_KEY, or name a key with --key.\n')
  })
})

test.each(['SIGINT', 'SIGHUP'] as const)(
  '%s ends it, and clears away what was made until then',
  async (signal) => {
    const platform = await openPlatform()
    const child = spawn(process.execPath, [join(ROOT, 'src', 'tools', 'check-platform.ts')], {
      env: {
        ...BARE_ENV,
        PLATFORM_BASE_URL: platform.baseUrl,
        PLATFORM_API_KEY: platform.keys.human,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    const ended = once(child, 'close')
    await until('two threads', () => platform.threads().length >= 2)
    child.kill(signal)
    const [code] = (await ended) as [number | null]
    expect(code).toBe(130)
    expect(out).toContain('It did not come to its end. It was stopped.')
    expect(out).toContain('What was made for this is archived or deleted.')
    expect(platform.threads().filter(({archived}) => !archived)).toEqual([])
  },
)
