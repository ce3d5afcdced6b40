import type {KnownBlock, ModalView} from '@slack/types'
import type {Rule} from '../../../store/tables/rules/rule.ts'
import {field, fitMenu, input, menu, modal, option} from '../../../slack/draw/form.ts'
import {RULE_FORM} from '../../../slack/ids.ts'
import {ANOTHER, LIMITS, MAX, appValue} from '../entry.ts'
import {ruleTexts} from '../texts.ts'

const words = ruleTexts.form
const need = 'optional'

/** An app by its id and its name. */
export interface KnownApp {
  id: string
  name: string
}

/** All that is asked of a rule; `apps`: those that have written in the channel lately. */
export function drawRuleForm({
  metadata,
  rule,
  apps,
}: {
  metadata: object
  rule: Rule | undefined
  apps: readonly KnownApp[]
}): ModalView {
  const heads = {
    title: rule === undefined ? words.add : words.edit,
    submit: words.save,
    close: words.cancel,
  }
  return modal(RULE_FORM, metadata, heads, [
    field('name', words.name, {hint: words.nameHint, value: rule?.name, max: MAX.name}),
    ...appInputs(rule, apps),
    field('pattern', words.pattern, {
      ...{need, hint: words.patternHint, value: rule?.pattern, max: MAX.pattern},
      multiline: true,
    }),
    doesInput(rule?.does),
    field('task', words.task, {
      ...{hint: words.taskHint, value: rule?.task, max: MAX.task},
      multiline: true,
    }),
    field('key', words.key, {need, hint: words.keyHint, value: rule?.dedupeKey, max: MAX.key}),
    number('windowMinutes', words.window, rule?.windowMinutes),
    number('perHour', words.perHour, rule?.perHour),
    number('perDay', words.perDay, rule?.perDay),
    field('quietFrom', words.quietFrom, {
      ...{need, hint: words.quietHint(rule?.quiet?.zone), value: rule?.quiet?.from, max: 5},
    }),
    field('quietTo', words.quietTo, {need, value: rule?.quiet?.to, max: 5}),
    input('person', words.person, {
      ...{need, hint: words.personHint},
      element: {type: 'users_select', ...(isPerson(rule?.person) && {initial_user: rule.person})},
    }),
  ])
}

/** Who was forgotten is nobody whom Slack knows. */
function isPerson(id: string | undefined): id is string {
  return id !== undefined && /^[UW][A-Z0-9]+$/.test(id)
}

function appInputs(rule: Rule | undefined, apps: readonly KnownApp[]): KnownBlock[] {
  const named = rule && {id: rule.app, name: rule.appName ?? rule.app}
  const all = [...(named === undefined ? [] : [named]), ...apps.filter(({id}) => id !== rule?.app)]
  const another = option(words.another, ANOTHER)
  const options = [...all.map((app) => option(app.name || app.id, appValue(app))), another]
  const typed = field('appId', words.appId, {need, hint: words.appIdHint, max: 31})
  if (all.length === 0 || !fitMenu(options)) return [typed]
  return [menu('app', words.app, options, {hint: words.appHint, initial: options[0]}), typed]
}

function doesInput(does: Rule['does'] | undefined): KnownBlock {
  const options = [option(words.start, 'start'), option(words.ask, 'ask')]
  return menu('does', words.does, options, {initial: options[does === 'ask' ? 1 : 0]})
}

function number(name: keyof typeof LIMITS, label: string, value: number | undefined): KnownBlock {
  const {least, most, usual} = LIMITS[name]
  return field(name, label, {
    hint: words.number(least, most),
    value: String(value ?? usual),
    max: 6,
  })
}
