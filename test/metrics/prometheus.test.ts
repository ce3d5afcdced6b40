import {expect, test} from 'vitest'
import {createPrometheusMeter} from '../../src/metrics/prometheus.ts'

test('a figure that cannot be read stands nowhere, and is told once until it can', async () => {
  const told: string[] = []
  const meter = createPrometheusMeter((name, error) => told.push(`${name}: ${String(error)}`))
  let isBroken = false
  meter.read('bosun_budget_use_ratio', () => {
    if (isBroken) throw new Error('locked')
    return [{labels: {budget: 'work'}, value: 0.5}]
  })
  const stands = async () => (await meter.scrape()).body.includes('bosun_budget_use_ratio{')
  expect(await stands()).toBe(true)
  for (isBroken of [true, true, false, true]) expect(await stands()).toBe(!isBroken)
  const line = 'bosun_budget_use_ratio: Error: locked'
  expect(told).toEqual([line, line])
})

test('a metric has so many series at most, and counts what is further under another name', async () => {
  const meter = createPrometheusMeter(() => undefined)
  for (let n = 0; n < 2000; n += 1) {
    meter.count('bosun_slack_calls_total', {method: `method-${n}`, outcome: 'ok'})
  }
  const {body} = await meter.scrape()
  const series = body.split('\n').filter((line) => line.startsWith('bosun_slack_calls_total{'))
  expect(series).toHaveLength(641)
  const rest = series.find((line) => line.includes('"other"'))
  expect(rest).toMatch(/ 1360$/)
})
