import {expect, test} from 'vitest'
import {rules as feature} from '../../../src/features/rules/index.ts'
import {createRuleActs} from '../../../src/features/rules/rules.ts'
import {ruleTexts} from '../../../src/features/rules/texts.ts'
import {ACTIONS} from '../../../src/slack/ids.ts'
import {temporaryStore} from '../../store/temporary-store.ts'
import {createPresses} from '../../support/presses.ts'
import {CHANNEL, keepRules, ruleOf} from './stage.ts'

async function setUp() {
  const store = await temporaryStore()
  await keepRules(store, [ruleOf('alerts', {isOn: false})])
  const presses = createPresses(feature.permits)
  const never = (): never => {
    throw new Error('Nothing of this is asked for')
  }
  const acts = createRuleActs({
    ...{act: presses.act, deps: store, nowMs: () => 5, zoneOf: never, readLately: never},
    access: {denialOf: never} as never,
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
  return {press, said: presses.said}
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
