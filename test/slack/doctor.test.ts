import {expect, onTestFinished, test} from 'vitest'
import {type Server, createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {Secret} from '../../src/security/secret.ts'
import {createPlatformClient} from '../../src/platform/client.ts'
import {createTransport} from '../../src/platform/transport.ts'
import {askPlatform, explainDeliveries} from '../../src/slack/doctor/doctor.ts'
import {judgeDatabase, judgeSealing} from '../../src/slack/doctor/database.ts'
import {lineOf} from '../../src/slack/doctor/finding.ts'
import {askSlack} from '../../src/slack/doctor/slack.ts'
import {scopes} from '../../src/slack/scopes.ts'

const ALL = Object.keys(scopes)
const token = new Secret('xoxb-hidden')

/** Slack as it answers `auth.test`. */
async function slack(body: string, headers: Record<string, string>): Promise<string> {
  const server: Server = createServer((_request, response) => {
    response.writeHead(200, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`
}

async function linesOf(body: string, headers: Record<string, string>): Promise<string[]> {
  const apiUrl = await slack(body, headers)
  return (await askSlack({apiUrl, token})).map(lineOf)
}

const OK = '{"ok":true,"team":"Acme"}'

test('a scope that is missing is named, with what to do', async () => {
  const given = ALL.filter((scope) => scope !== 'files:write').join(',')
  const lines = await linesOf(OK, {'x-oauth-scopes': given})
  expect(lines[0]).toBe('✓ token: accepted by Slack, for Acme')
  expect(lines[1]).toMatch(/^✗ scopes: files:write missing\. Update the app from manifest\.yml/)
  expect(lines[2]).toBe('✓ clock: same as Slack’s')
})

test('a scope that may be left out is named, and no fault', async () => {
  const given = ALL.filter((scope) => scope !== 'links:read').join(',')
  const [, line] = await linesOf(OK, {'x-oauth-scopes': given})
  expect(line).toMatch(/^✓ scopes: all that are needed; left out: links:read /)
})

test('a clock that is wrong is told, either way', async () => {
  const at = (ms: number) => new Date(Date.now() + ms).toUTCString()
  const headers = {'x-oauth-scopes': ALL.join(', ')}
  const behind = await linesOf(OK, {...headers, date: at(600_000)})
  expect(behind[2]).toMatch(/^✗ clock: (599|600) s behind Slack’s\. Set/)
  const ahead = await linesOf(OK, {...headers, date: at(-600_000)})
  expect(ahead[2]).toMatch(/^✗ clock: 60\d s ahead of Slack’s\. Set/)
})

test('what Slack does not tell is no fault', async () => {
  expect((await linesOf(OK, {}))[1]).toBe('· scopes: Slack does not say which there are')
})

test('a token that is refused, and a Slack that is none, are told without it', async () => {
  const refused = await linesOf('{"ok":false,"error":"token_revoked"}', {})
  expect(refused[0]).toMatch(
    /^✗ token: rejected by Slack \(token_revoked\)\. Install the app again/,
  )
  const none = await linesOf('<html>', {})
  expect(none).toHaveLength(1)
  expect(none[0]).toContain('✗ token: Slack does not answer (what answers is not Slack)')
  const [silent] = await askSlack({apiUrl: 'http://127.0.0.1:9/api/', token})
  expect(silent?.says).toContain('Slack does not answer')
})

test('why the agent platform does not answer is told in a word', async () => {
  const says = async (baseUrl: string): Promise<string> => {
    await using transport = createTransport(baseUrl)
    const client = createPlatformClient({transport, apiKey: new Secret('key_hidden')})
    return (await askPlatform({name: 'key', fix: ''}, () => client)).says
  }
  const page = await slack('<html>', {'content-type': 'text/html'})
  const [away, other] = await Promise.all([says('http://127.0.0.1:4/api/v1'), says(page)])
  expect(away).toBe('the agent platform does not answer (ECONNREFUSED)')
  expect(other).toBe('the agent platform does not answer (what answers is no agent platform)')
})

test('the database is judged by what SQLite finds, its log, and the room that is left', () => {
  const well = {
    ...{kind: 'file' as const, bytes: 1e6, logBytes: 5000},
    ...{roomBytes: 1e10, integrity: 'ok', wide: []},
  }
  expect(judgeDatabase(well).map(lineOf)).toEqual([
    '✓ database: intact, 1.0 MB, log 5 kB',
    '✓ disk: 10.0 GB free',
    '✓ files: only the user that Bosun runs as can read them',
  ])
  expect(judgeDatabase({...well, integrity: 'row 1 missing'}).map(lineOf)[0]).toBe(
    '✗ database: SQLite finds it damaged: row 1 missing. Stop Bosun and put a backup in its place: npm run restore -- FILE',
  )
  expect(judgeDatabase({...well, logBytes: 5e8}).map(lineOf)[0]).toContain('grown to 500.0 MB')
  expect(judgeDatabase({...well, roomBytes: 1e6}).map(lineOf)[1]).toContain('✗ disk: 1.0 MB free')
  const server = {kind: 'server' as const, version: '15.20', bytes: 9e6}
  expect(judgeDatabase(server).map(lineOf)[0]).toBe('✓ database: PostgreSQL 15.20 answers, 9.0 MB')
})

test('sealing keys that are still in use are named', () => {
  expect(lineOf(judgeSealing([], new Map()))).toContain('· sealing keys: BOSUN_KEYS is empty')
  expect(lineOf(judgeSealing(['k2', 'k1'], new Map([['k2', 3]])))).toBe(
    '✓ sealing keys: k2 seals, 3 values are sealed',
  )
  expect(lineOf(judgeSealing(['k2', 'k1'], new Map([['k1', 1]])))).toContain(
    '✗ sealing keys: k2 seals, 1 value is sealed; k1 still in use. Seal again',
  )
})

test.each<[number | undefined, RegExp | undefined]>([
  [undefined, undefined],
  [300_000, undefined],
  [-300_000, undefined],
  [420_000, /^all are refused: this machine’s clock is 7 minutes ahead of Slack’s/],
  [-3_600_000, /clock is 60 minutes behind Slack’s/],
])(
  'of a clock that is %s ms ahead of Slack’s is said whether deliveries are taken',
  (ms, words) => {
    const said = explainDeliveries(ms)
    if (words === undefined) expect(said).toBeUndefined()
    else expect(said).toMatch(words)
  },
)
