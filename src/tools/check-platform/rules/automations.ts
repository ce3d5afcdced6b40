import {isRecord} from '../../../security/foreign-json.ts'
import {readWord} from '../../../platform/unnamed.ts'
import {fieldsOf, pathOf} from '../asking.ts'
import {type Fields, type Probe, QUICK, itemsOf} from '../probe.ts'
import {Untried, expect, expectRefusal, tell} from '../verdicts.ts'
import {type Rule, shared} from './rule.ts'

/** Disabled, with a webhook and a schedule that comes once a year. */
const automation = shared(async (probe: Probe) => {
  const {newId, projectId, mark, post, shapes, litter} = probe
  const order = {
    requestId: newId(),
    projectId,
    name: mark,
    prompt: `${QUICK} (${mark})`,
    triggers: [{type: 'incoming_webhook'}, {type: 'schedule', cron: '0 0 1 1 *', timezone: 'UTC'}],
    enabled: false,
  }
  const made = await post('/automations', order)
  const {id} = made
  expect('an automation with an id', typeof id === 'string', Object.keys(made))
  litter.automation(id)
  shapes.look('automation', made)
  return {order, made, id}
})

/** What the list says of it now. */
async function listed(probe: Probe, id: string): Promise<Fields | undefined> {
  const query = {projectId: probe.projectId}
  for (let cursor: string | undefined, pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await probe.get('/automations', {...query, cursor})
    const items = itemsOf(page)
    for (const item of items) probe.shapes.look('automation', item)
    const found = items.find((item) => item['id'] === id)
    const next = page['cursor']
    if (found !== undefined || typeof next !== 'string' || next === cursor) return found
    cursor = next
  }
  return undefined
}

const MOST_PAGES = 20

/** What the automation says of itself behind a change; the answer may hold less than all. */
async function change(probe: Probe, verb: string): Promise<Fields> {
  const {id} = await automation(probe)
  const answer = await probe.ask('POST', pathOf('automations', id, verb))
  expect(`2xx for ${verb}`, answer.status >= 200 && answer.status < 300, tell(answer))
  if (isRecord(answer.body) && answer.body['id'] !== undefined) {
    probe.shapes.look('automation', answer.body)
  }
  const now = await listed(probe, id)
  if (now !== undefined) return now
  if (isRecord(answer.body)) return answer.body
  throw new Untried('neither the answer nor the list has the automation')
}

const flips = [
  ['enable', 'enabled', true],
  ['disable', 'enabled', false],
  ['delete', 'deleted', true],
  ['restore', 'deleted', false],
] as const

/** Sections 3.4, 3.7, 4.7 and 4.9. */
export const automationRules: readonly Rule[] = [
  {
    section: '4.7',
    name: 'an automation is created as it was asked for',
    bosun: '`/bosun automations` and `/bosun hooks` make something else than what people see',
    check: async (probe) => {
      const {order, made} = await automation(probe)
      const wanted = {name: order.name, prompt: order.prompt, enabled: false}
      for (const [field, value] of Object.entries(wanted)) {
        expect(`${field} ${String(value)}`, made[field] === value, made[field])
      }
    },
  },
  {
    section: '4.7',
    name: 'webhookUrl comes with the first answer, is null on a replay, and left out of the list',
    bosun: 'hooks have no address, or whoever reads the list can start runs',
    check: async (probe) => {
      const {order, made, id} = await automation(probe)
      const isUrl = typeof made['webhookUrl'] === 'string' && URL.canParse(made['webhookUrl'])
      expect('an address in the first answer', isUrl, typeof made['webhookUrl'])
      const again = await probe.post('/automations', order)
      expect('null on a replay', again['webhookUrl'] === null, typeof again['webhookUrl'])
      const later = (await listed(probe, id))?.['webhookUrl']
      expect('none in the list', later === undefined || later === null, typeof later)
    },
  },
  {
    section: '4.7',
    name: 'a repeated requestId answers the same automation',
    bosun: 'a lost answer makes two automations, which both run',
    check: async (probe) => {
      const {order, id} = await automation(probe)
      const again = await probe.post('/automations', order)
      probe.litter.automation(again['id'])
      expect(`the id ${id}`, again['id'] === id, again['id'])
    },
  },
  {
    section: '4.7',
    name: 'the list has the automations of its project',
    bosun: '`/bosun automations` does not show what is there',
    check: async (probe) => {
      const {id} = await automation(probe)
      expect(
        `the automation ${id}`,
        (await listed(probe, id)) !== undefined,
        'it is not in the list',
      )
    },
  },
  {
    section: '4.7',
    name: 'an automation in an absent project is refused',
    bosun: 'it seems to be made, and never runs',
    check: async (probe) => {
      const body = {requestId: probe.newId(), projectId: 'check-platform-absent', prompt: QUICK}
      const answer = await probe.ask('POST', '/automations', {body: {...body, enabled: false}})
      probe.litter.automation(fieldsOf(answer.body)['id'])
      expectRefusal(answer, 'ProjectNotFound')
    },
  },
  {
    section: '4.9',
    name: 'the webhook of a disabled automation and a wrong one answer 404',
    bosun: 'what is delivered to a disabled hook counts as delivered, and is lost',
    check: async (probe) => {
      const url = await webhookOf(probe)
      const disabled = await deliver(probe, url, probe.newId())
      expect('404 of a disabled automation', disabled.status === 404, tell(disabled))
      const wrong = await deliver(
        probe,
        `${url.slice(0, url.lastIndexOf('/'))}/check-platform`,
        'x',
      )
      expect('404 of a wrong address', wrong.status === 404, tell(wrong))
    },
  },
  ...flips.map(([verb, field, value]): Rule => {
    return {
      section: '3.4',
      name: `${verb} makes ${field} ${String(value)}`,
      bosun: `[${verb.charAt(0).toUpperCase()}${verb.slice(1)}] in \`/bosun automations\` seems to work, and does not`,
      check: async (probe) => {
        const now = await change(probe, verb)
        expect(`${field} ${String(value)}`, now[field] === value, now[field])
        // Whatever is tried next may start no run but its own.
        if (verb === 'restore') await change(probe, 'disable')
      },
    }
  }),
  {
    section: '3.7',
    name: 'a delivery is accepted, and a duplicate under the same key',
    bosun: 'what is delivered again after a lost answer starts a second run',
    check: async (probe) => {
      const url = await webhookOf(probe)
      await change(probe, 'enable')
      const key = probe.newId()
      try {
        for (const wanted of ['accepted', 'duplicate'] as const) {
          const answer = await deliver(probe, url, key)
          expect('202', answer.status === 202, tell(answer))
          const outcome = readWord(answer.body, ['accepted', 'duplicate', 'no-match'], 'outcome')
          if (outcome === 'accepted') probe.litter.run()
          expect(`the outcome ${wanted}`, outcome === wanted, outcome ?? answer.body)
        }
      } finally {
        await change(probe, 'disable')
      }
    },
  },
]

async function webhookOf(probe: Probe): Promise<string> {
  const {webhookUrl} = (await automation(probe)).made
  if (typeof webhookUrl === 'string' && URL.canParse(webhookUrl)) return webhookUrl
  throw new Untried('there is no address of a webhook')
}

function deliver({ask}: Probe, url: string, key: string) {
  const headers = {'idempotency-key': key}
  return ask('POST', url, {body: {from: 'check-platform'}, headers, key: null})
}
