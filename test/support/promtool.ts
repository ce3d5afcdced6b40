import {execFileSync, spawnSync} from 'node:child_process'
import {existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {stringify} from 'yaml'

export const ALERTS = join(import.meta.dirname, '..', '..', 'deploy', 'prometheus', 'alerts.yml')

/** Prometheus's own tool for rules, where it is installed. */
const GIVEN = process.env['BOSUN_PROMTOOL']
const PROMTOOL =
  GIVEN ?? ['/usr/bin/promtool', '/usr/local/bin/promtool'].find((path) => existsSync(path))

/** These tests may be left out where there is none; whoever names one wants them. */
export const HAS_PROMTOOL = PROMTOOL !== undefined

/** A series as it was scraped, a value for each step; `undefined`: there was none. */
export interface Recorded {
  series: string
  values: readonly (number | undefined)[]
}

export const STEP_S = 15

function promtool(): string {
  if (PROMTOOL === undefined) throw new Error('promtool is not installed (Debian: prometheus).')
  return PROMTOOL
}

/** @throws with what is wrong. */
export function checkRules(): string {
  return execFileSync(promtool(), ['check', 'rules', ALERTS], {encoding: 'utf8'})
}

/** Which alerts fire at each step, as Prometheus has it. */
export function alertsAt(recorded: readonly Recorded[]): string[][] {
  const steps = Math.max(...recorded.map(({values}) => values.length))
  const folder = mkdtempSync(join(tmpdir(), 'bosun-alerts-'))
  try {
    const file = join(folder, 'recorded.yml')
    // Nothing is expected, so that it says what there is.
    const asked = Array.from({length: steps}, (_, step) => ({
      expr: `count by (alertname) (ALERTS{alertstate="firing"}) + 1000 * ${step}`,
      eval_time: `${step * STEP_S}s`,
      exp_samples: [],
    }))
    const test = {
      interval: `${STEP_S}s`,
      input_series: recorded.map(({series, values}) => ({
        series,
        values: values.map((value) => value ?? '_').join(' '),
      })),
      promql_expr_test: asked,
    }
    const rules = {rule_files: [ALERTS], evaluation_interval: `${STEP_S}s`, tests: [test]}
    writeFileSync(file, stringify(rules))
    const {stdout, stderr} = spawnSync(promtool(), ['test', 'rules', file], {encoding: 'utf8'})
    return readFiring(stdout + stderr, steps)
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

function readFiring(said: string, steps: number): string[][] {
  const firing = Array.from({length: steps}, (): string[] => [])
  for (const [, name = '', value = ''] of said.matchAll(
    /\{alertname=\\?"(\w+)\\?"\} ([\d.E+]+)/g,
  )) {
    firing[Math.floor(Number(value) / 1000)]?.push(name)
  }
  if (!said.includes('SUCCESS') && !said.includes('FAILED')) throw new Error(`promtool: ${said}`)
  return firing.map((names) => names.toSorted())
}
