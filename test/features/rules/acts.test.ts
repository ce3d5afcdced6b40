import {expect, test} from 'vitest'
import {rules as feature} from '../../../src/features/rules/index.ts'
import {createRuleActs} from '../../../src/features/rules/rules.ts'
import {ruleTexts} from '../../../src/features/rules/texts.ts'
import {drawRuleForm} from '../../../src/features/rules/views/form.ts'
import {ACTIONS, RULE_FORM} from '../../../src/slack/ids.ts'
import type {Form} from '../../../src/slack/incoming/form.ts'
import type {Rule} from '../../../src/store/tables/rules/rule.ts'
import {temporaryStore} from '../../store/temporary-store.ts'
import {createPresses} from '../../support/presses.ts'
import {CHANNEL, keepRules, ruleOf} from './stage.ts'

const ENTERED = {
  ...{name: 'alerts', app: 'A111 App', pattern: '', does: 'start', task: 'look'},
  ...{windowMinutes: '60', perHour: '5', perDay: '20'},
}

async function setUp(of: Partial<Rule> = {}) {
  const store = await temporaryStore()
  await keepRules(store, [ruleOf('alerts', {isOn: false, ...of})])
  const presses = createPresses(feature.permits)
  const never = (): never => {
    throw new Error('Nothing of this is asked for')
  }
  const acts = createRuleActs({
    ...{act: presses.act, deps: store, nowMs: () => 5, readLately: never},
    zoneOf: async () => Promise.resolve('Asia/Tokyo'),
    access: {denialOf: async () => Promise.resolve(undefined)} as never,
    checks: {member: {name: 'member', look: never}} as never,
    forms: {open: never} as never,
    names: {user: async (id: string) => Promise.resolve(id)} as never,
    onRules: () => undefined,
  })
  const press = async (actionId: string, sinceMs: number, user = 'U1') =>
    presses.press(acts, {
      ...{actionId, user, channel: CHANNEL},
      value: `alerts.${sinceMs.toString(36)}`,
    })
  /** `undefined`: nothing is written into this one. */
  const save = async (entered: Record<string, string | undefined>, rule: string | undefined) => {
    const values = new Map(Object.entries({...ENTERED, ...entered}))
    const metadata = JSON.stringify({channel: CHANNEL, rule, sinceMs: 1})
    const who = {team: 'T1', user: 'U2', userTeam: 'T1'}
    const form = {kind: 'form', ...who, callbackId: RULE_FORM, view: {metadata}, values}
    await presses.run(acts, form as unknown as Form)
    return store.rules.ofChannel({team: 'T1', channel: CHANNEL})
  }
  return {press, save, said: presses.said}
}

test('whose turn of a rule was cut off before they heard of it hear that it is done', async () => {
  const {press, said} = await setUp()
  const [on, off] = [true, false].map((isOn) => ruleTexts.turned('alerts', isOn, 'start'))
  await press(ACTIONS.ruleOn, 1)
  await press(ACTIONS.ruleOn, 1)
  await press(ACTIONS.ruleOff, 5)
  await press(ACTIONS.ruleOff, 5)
  expect(said.map((text) => text.split('\n')[0])).toEqual([on, on, off, off])
})

test('a button of a rule that is another one by now changes nothing', async () => {
  const {press, said} = await setUp()
  await press(ACTIONS.ruleOn, 1)
  await press(ACTIONS.ruleOn, 1, 'U2')
  await press(ACTIONS.ruleOff, 1)
  await press(ACTIONS.ruleDelete, 1)
  expect(said.slice(1)).toEqual([ruleTexts.gone, ruleTexts.gone, ruleTexts.gone])
})

test('quiet hours stay in the time zone in which they were given, which the form names, whoever saves the rule', async () => {
  const quiet = {from: '22:00', to: '07:00', zone: 'Europe/Berlin'}
  const {save} = await setUp({quiet})
  const rule = ruleOf('alerts', {quiet})
  const form = drawRuleForm({metadata: {}, rule, apps: []})
  expect(JSON.stringify(form)).toContain('As 22:00, in the time zone Europe/Berlin.')
  const [changed] = await save({quietFrom: '22:00', quietTo: '06:30'}, 'alerts')
  expect(changed?.quiet).toEqual({...quiet, to: '06:30'})
})

test('quiet hours that are new are in the time zone of whoever gives them, as the form says', async () => {
  const form = drawRuleForm({metadata: {}, rule: ruleOf('alerts'), apps: []})
  expect(JSON.stringify(form)).toContain('As 22:00, in your time zone.')
  for (const rule of ['alerts', undefined]) {
    const {save} = await setUp()
    const all = await save({quietFrom: '22:00', quietTo: '06:30'}, rule)
    expect(all.at(-1)?.quiet).toEqual({from: '22:00', to: '06:30', zone: 'Asia/Tokyo'})
  }
})
