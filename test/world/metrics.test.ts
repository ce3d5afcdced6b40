import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {METRICS} from '../../src/metrics/catalogue.ts'
import {metricOf, metricsAddress, readScrape} from '../support/scrape.ts'
import {type Place, type World, startWorld} from '../support/world.ts'

const TOKEN = 'a-token-for-the-metrics'
let world: World
let place: Place

beforeAll(async () => {
  world = await startWorld({settings: {METRICS_PORT: '0'}})
  place = await world.say('@Bosun fix the zebracorn of the cart')
  await world.settled(place)
})
afterAll(() => world[Symbol.asyncDispose]())

const scrape = async () => {
  const answer = await fetch(metricsAddress(world.bot.output()) ?? '')
  expect(answer.status).toBe(200)
  return answer.text()
}

describe('what a bot tells of itself', () => {
  test('is all that is declared, and nothing else', async () => {
    const {types, helps} = readScrape(await scrape())
    const told = [...types].map(([name, type]) => [name, type])
    const declared = Object.entries(METRICS).map(([name, {type}]) => [name, type])
    expect(told.toSorted()).toEqual(declared.toSorted())
    expect([...helps.values()].filter((help) => !help.endsWith('.'))).toEqual([])
  })

  test('has the labels that are declared', async () => {
    const {series, types} = readScrape(await scrape())
    const declared: Readonly<Record<string, {labels: readonly string[]}>> = METRICS
    for (const {name, labels} of series) {
      const metric = metricOf(name, types)
      const own = Object.keys(labels).filter((label) => label !== 'le')
      expect([metric, own.toSorted()]).toEqual([
        metric,
        [...(declared[metric]?.labels ?? [])].toSorted(),
      ])
    }
  })

  test('counts what has happened', async () => {
    const {series} = readScrape(await scrape())
    const valueOf = (name: string, labels: Readonly<Record<string, string>> = {}) =>
      series.find(
        (one) =>
          one.name === name &&
          Object.entries(labels).every(([label, value]) => one.labels[label] === value),
      )?.value
    const calls = world.slack.ledger.calls.filter(({method}) => method === 'chat.update').length
    const told = valueOf('bosun_slack_calls_total', {method: 'chat.update', outcome: 'ok'})
    expect(told).toBe(calls)
    expect(valueOf('bosun_slack_call_seconds_count', {method: 'chat.update'})).toBe(calls)
    expect(valueOf('bosun_first_sign_seconds_count')).toBe(1)
    expect(valueOf('bosun_first_sign_seconds_bucket', {le: '10'})).toBe(1)
    expect(valueOf('bosun_inbox_handled_total', {outcome: 'done'})).toBeGreaterThan(0)
    expect(valueOf('bosun_text_seen_seconds_count')).toBeGreaterThan(0)
    expect(valueOf('bosun_platform_calls_total', {outcome: 'ok'})).toBeGreaterThan(2)
    expect(valueOf('bosun_database_commit_seconds_count')).toBeGreaterThan(3)
    expect(valueOf('bosun_unseen_text_age_seconds')).toBe(0)
    expect(valueOf('bosun_streams', {state: 'broken'})).toBe(0)
    expect(valueOf('bosun_health', {part: 'slack'})).toBe(1)
    expect(valueOf('bosun_slack_sockets')).toBeGreaterThan(0)
    expect(valueOf('bosun_workspaces')).toBe(1)
    expect(valueOf('bosun_build_info', {database: 'sqlite'})).toBe(1)
    expect(valueOf('bosun_queue_oldest_seconds', {queue: 'inbox'})).toBe(0)
    expect(valueOf('bosun_slack_tokens', {method: 'chat.update'})).toBeGreaterThan(1)
  })

  test('holds no ids, no names and no words of people', async () => {
    const text = await scrape()
    const {slack, platform} = world
    const thread = platform.threads()[0]?.id ?? ''
    const ids = [slack.teamId, slack.botUserId, place.channel, place.ts, thread, 'p_']
    for (const mark of [...ids, ...platform.projectIds, 'zebracorn', 'jane', 'web']) {
      expect(text.toLowerCase()).not.toContain(`"${mark.toLowerCase()}`)
    }
    expect(text).not.toMatch(/\b[CDGUTWA]0[A-Z0-9]{3,}/)
    expect(text).not.toMatch(/zebracorn/i)
  })

  test('has few series', async () => {
    expect(readScrape(await scrape()).series.length).toBeLessThan(600)
  })
})

describe('who may ask', () => {
  const at = (path: string, headers: Record<string, string> = {}) => {
    const port = [...world.bot.output().matchAll(/ready \(.*port (\d+)/g)].at(-1)?.[1] ?? ''
    return fetch(`http://127.0.0.1:${port}${path}`, {headers})
  }

  test('the port of everybody else tells nothing, and says that it lives', async () => {
    expect((await at('/metrics')).status).toBe(404)
    const alive = await at('/livez')
    expect([alive.status, await alive.json()]).toEqual([200, {status: 'ok'}])
    expect((await at('/healthz')).status).toBe(200)
    expect((await at('/readyz')).status).toBe(200)
  })

  test('with a token and no port of their own, who brings it', async () => {
    await using other = await startWorld({settings: {METRICS_TOKEN: TOKEN}})
    const port = /ready \(.*port (\d+)/.exec(other.bot.output())?.[1] ?? ''
    const ask = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}/metrics`, {headers})
    expect((await ask({})).status).toBe(401)
    expect((await ask({authorization: `Bearer ${TOKEN}x`})).status).toBe(401)
    expect(await (await ask({authorization: 'Bearer'})).text()).not.toContain('bosun_')
    const good = await ask({authorization: `Bearer ${TOKEN}`})
    expect(good.status).toBe(200)
    expect(good.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(await good.text()).toContain('\nbosun_build_info{')
  })
})
