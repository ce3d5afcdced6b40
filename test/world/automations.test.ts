import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {ACTIONS, KEY_INPUT} from '../../src/slack/ids.ts'
import {type Hooks, createHooks} from '../support/hooks.ts'
import {type Modals, createModals} from '../support/modals.ts'
import {turnPage} from '../support/pages.ts'
import {buttonOf} from '../support/start-sight.ts'
import {JANE, KIM, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

const everybody = [JANE, KIM]
let world: World
let at: Modals
let hooks: Hooks

beforeAll(async () => {
  world = await startInside({pace: 0.05})
  at = createModals(world)
  hooks = createHooks(world, at)
})
afterAll(() => world[Symbol.asyncDispose]())

/** What a command is answered, whichever came before. */
async function ask(text: string, {as, channel}: {as: string; channel: string}) {
  const before = world.slack.ephemerals(channel, as).length
  await at.command(text, {as, channel})
  return world.until(`an answer to ${text}`, () => world.slack.ephemerals(channel, as)[before])
}

async function press(actionId: string, ts: string, {as, channel}: {as: string; channel: string}) {
  const before = world.slack.ephemerals(channel, as).length
  await world.slack.people.press({as, channel, ts, actionId})
  return world.until(`an answer to ${actionId}`, () => world.slack.ephemerals(channel, as)[before])
}

const schedule = {name: 'Nightly *check*', prompt: 'a quick check'}

describe('/bosun automations', () => {
  test('makes one on a schedule, and says what is wrong with a schedule before that', async () => {
    const channel = await at.channel('planned', everybody)
    const here = {as: JANE, channel}
    expect((await ask('automations new', {as: KIM, channel})).text).toContain(
      'Only admins can make',
    )
    await at.command('automations new', here)
    await at.reads(JANE, 'What should the agent do?')
    for (const [cron, zone, words] of [
      ['0 9 * *', 'UTC', '! A schedule has five fields'],
      ['99 9 * * *', 'UTC', '! That is not a valid schedule: “99” is no minute.'],
      ['0 0 31 2 *', 'UTC', '! That schedule never comes up.'],
      ['0 9 * * 1-5', 'Mars/Base', '! I don’t know that time zone.'],
    ] as const) {
      await at.submit(JANE, {...schedule, cron, zone})
      await at.reads(JANE, words)
    }
    await at.submit(JANE, {...schedule, cron: '0  9 * * 1-5', zone: 'Europe/Berlin'})
    await at.reads(JANE, '✅ *Nightly ∗check∗* is created.')
    const made = await at.hears(JANE, channel, 'is created.')
    expect(made.text).toContain('*Nightly ∗check∗* is created. Its next run is ')
    expect(made.text).toContain(
      '🟢 enabled · on schedule `0 9 * * 1-5` (Europe/Berlin) · never ran',
    )
    expect(world.posts('/api/v1/automations').at(-1)?.body).toMatchObject({
      ...{name: 'Nightly *check*', enabled: true},
      prompt: expect.stringMatching(/^a quick check\n\n---\nbosun-run:[\w-]{16}$/) as unknown,
      triggers: [{type: 'schedule', cron: '0 9 * * 1-5', timezone: 'Europe/Berlin'}],
    })
    // Nothing was chosen but that, and so nothing else is sent.
    expect(Object.keys(world.posts('/api/v1/automations').at(-1)?.body ?? {}).toSorted()).toEqual(
      ['enabled', 'name', 'projectId', 'prompt', 'requestId', 'triggers'].toSorted(),
    )
  })

  test('asks for more where somebody wants it, and loses nothing of what was typed', async () => {
    const channel = await at.channel('grown', everybody)
    const here = {as: JANE, channel}
    await at.command('automations new', here)
    expect(await at.reads(JANE, 'What should the agent do?')).not.toContain('Runs as')
    const typed = {name: 'Grown', prompt: 'a quick look', zone: 'UTC', keep: []}
    await at.grow(JANE, ACTIONS.automationFields, typed)
    const grown = await at.reads(JANE, 'Runs as')
    expect(grown).toContain('Name (Grown)')
    expect(grown).toContain('What should the agent do? (a quick look)')
    expect(grown).toContain('Time zone (UTC)')
    // What was unticked stays so.
    expect(grown).toMatch(/^Webhook address \(if another program starts it\)$/m)

    const filled = {
      ...{called: ['called'], keep: []},
      ...{cron: '0 9 * * 1-5 Europe/Berlin\n0 18 * * 5', description: 'For the shop'},
      ...{repos: 'acme/web', model: 'swift', effort: 'high', modes: ['fast', 'pro']},
      ...{size: 'large', thread: 'new', runAs: 'user_kim', perDay: '3'},
      ...{folders: 'folder_1', tags: 'night, shop', also: ['pin', 'disabled']},
    }
    // What the platform does not take is said where it stands, and nothing is lost by it.
    world.platform.control.faults.add({
      ...{match: {method: 'POST', path: '/automations$'}, times: 1},
      fault: {
        ...{kind: 'answer', status: 400, applied: false},
        body: {_tag: 'svc/InvalidRequest', message: 'maxRunsPerDay: <!here> too many'},
      },
    })
    await at.submit(JANE, filled)
    const refused = await at.reads(JANE, 'The agent platform does not take this')
    expect(refused).toMatch(/Runs a day, at most \(3\)\n⚠️ .*maxRunsPerDay: &lt;!here&gt; too many/)
    expect(refused).toContain('Repositories (acme/web)')
    expect(refused).toContain('Runs as (Kim Lee)')

    await at.submit(JANE, {})
    const {text} = await at.hears(JANE, channel, '*Grown* is created.')
    expect(text).toContain('It is disabled: press *Enable* when it may start.')
    expect(text).toContain('shown only once')
    await world.slack.people.closeView({as: JANE})
    expect(world.posts('/api/v1/automations').at(-1)?.body).toMatchObject({
      ...{name: 'Grown', description: 'For the shop', enabled: false, threadMode: 'new'},
      triggers: [
        {type: 'schedule', cron: '0 9 * * 1-5', timezone: 'Europe/Berlin'},
        {type: 'schedule', cron: '0 18 * * 5', timezone: 'UTC'},
        {type: 'incoming_webhook'},
      ],
      model: {modelId: 'swift', reasoningMode: 'high', modes: {fast: true, pro: true}},
      repos: [{repo: 'acme/web', branch: 'main'}],
      ...{machineSize: 'large', maxRunsPerDay: 3, runAsKind: 'human', runAsId: 'user_kim'},
      organize: {pin: true, folders: ['folder_1'], tags: ['night', 'shop']},
    })

    const list = await ask('automations', {as: KIM, channel})
    const details = await press(ACTIONS.automationDetails, list.ts, {as: KIM, channel})
    expect(details.text).toContain('*Grown* · ⚪️ disabled\nFor the shop')
    expect(details.text).toContain('*Runs as* Kim Lee (human)')
    expect(details.text).toContain('*Model* swift · thinks high · modes fast, pro')
    expect(JSON.stringify(details.blocks)).not.toContain('"Delete"')
    // It would stand first in the lists of the stories below.
    const mine = await ask('automations', here)
    const deleted = await press(ACTIONS.automationDelete, mine.ts, here)
    expect(deleted.text).toContain('*Grown* is deleted.')
  })

  test('explains where it can that something is not to be had, and begins nothing', async () => {
    const channel = await at.channel('asked', everybody)
    await at.command('automations new', {as: JANE, channel})
    await at.reads(JANE, 'What should the agent do?')
    const fault = (
      status: number,
      body: {_tag: string; message: string; candidates?: {entryId: string}[]},
    ) =>
      world.platform.control.faults.add({
        ...{match: {method: 'POST', path: '/automations$'}, times: 1},
        fault: {kind: 'answer', status, body, applied: false},
      })
    fault(400, {_tag: 'svc/InvalidRequest', message: 'That is not to be.'})
    await at.submit(JANE, {...schedule, cron: '0 9 * * *', zone: 'UTC'})
    // It names no field: above all of them.
    expect(await at.reads(JANE, 'That is not to be.')).toMatch(/^⚠️ The agent platform/)
    fault(400, {_tag: 'svc/ModelSelection.Rejected', message: '', candidates: [{entryId: 'swift'}]})
    await at.submit(JANE, {})
    await at.reads(JANE, 'these can: swift')
    await at.submit(JANE, {cron: '0 9 * *'})
    await at.reads(JANE, '! A schedule has five fields')
    await world.slack.people.closeView({as: JANE})
  })

  test('lists those of the project with what can be done to each', async () => {
    const channel = await at.channel('listed', everybody)
    const here = {as: JANE, channel}
    const {text, blocks} = await ask('automations', {as: KIM, channel})
    expect(JSON.stringify(blocks)).toContain('"Details"')
    for (const word of ['Disable', 'Delete', 'New automation']) {
      expect(JSON.stringify(blocks)).not.toContain(`"${word}"`)
    }
    expect(text).toContain('*Nightly ∗check∗* · 🟢 enabled')
    // The environment names the project by its id alone.
    expect(text).toContain('*Automations of web*')
    world.platform.control.faults.add({
      ...{match: {method: 'GET', path: '/projects/[^/]+$'}, times: 1},
      fault: {kind: 'answer', status: 404, body: {_tag: 'svc/ProjectNotFound'}, applied: false},
    })
    const nameless = await ask('automations', {as: KIM, channel})
    expect(nameless.text).toContain('*Automations of this project*')

    const list = await ask('automations', here)
    const off = await press(ACTIONS.automationDisable, list.ts, here)
    expect(off.text).toContain('is disabled: it starts no more runs.')
    expect(off.text).toContain('⚪️ disabled')
    const on = await press(ACTIONS.automationEnable, off.ts, here)
    expect(on.text).toContain('is enabled.')
    const gone = await press(ACTIONS.automationDelete, on.ts, here)
    expect(gone.text).toContain('is deleted. Restore brings it back.')
    expect(gone.text).toContain('🗑 deleted')
    // A platform need not list what is deleted.
    world.platform.control.faults.add({
      ...{match: {method: 'GET', path: '/automations'}, times: 1},
      fault: {kind: 'answer', status: 200, body: {items: [], cursor: null}, applied: false},
    })
    const back = await press(ACTIONS.automationRestore, gone.ts, here)
    expect(back.text).toContain('is back.')

    // Brought back elsewhere, it runs, in another project by now.
    const again = await press(ACTIONS.automationDelete, back.ts, here)
    const paths = world.platform.ledger.map(({path}) => /automations\/([^/?]+)/.exec(path)?.[1])
    const value = paths.findLast((id) => id !== undefined) ?? ''
    const api = `${world.platform.originUrl}/api/v1/automations`
    const headers = {authorization: `Bearer ${world.platform.keys.human}`}
    const restored = await fetch(`${api}/${value}/restore`, {method: 'POST', headers})
    expect(restored.status).toBe(200)
    const foreign = world.platform.control.faults.add({
      ...{match: {method: 'GET', path: '/automations\\?.*projectId'}, times: null},
      fault: {kind: 'answer', status: 200, body: {items: [], cursor: null}, applied: false},
    })
    const theirs = await press(ACTIONS.automationRestore, again.ts, here)
    expect(theirs.text).toContain('no longer')
    world.platform.control.faults.remove(foreign)
    const listed = (await (await fetch(api, {headers})).json()) as {items: object[]}
    expect(listed.items).toContainEqual(expect.objectContaining({id: value, enabled: true}))
  })

  test.for([
    ['the part that changed', {enabled: false}],
    ['a wrapped one', {automation: {id: 'x', enabled: false}}],
    ['nothing', undefined],
    ['a word', 'ok'],
  ] as const)('changes one where the platform answers with %s', async ([, body]) => {
    const channel = await at.channel(
      `said ${JSON.stringify(body)}`.replaceAll(/\W+/g, '-'),
      everybody,
    )
    const here = {as: JANE, channel}
    const list = await ask('automations', here)
    world.platform.control.faults.add({
      match: {method: 'POST', path: '/disable$'},
      fault: {
        ...{kind: 'answer', status: 200, applied: true, ...(body !== undefined && {body})},
        ...(body === 'ok' && {headers: {'content-type': 'text/plain'}}),
      },
    })
    const off = await press(ACTIONS.automationDisable, list.ts, here)
    expect(off.text).toContain('*Nightly ∗check∗* is disabled: it starts no more runs.')
    expect(off.text).toContain('⚪️ disabled · on schedule')
    const on = await press(ACTIONS.automationEnable, off.ts, here)
    expect(on.text).toContain('is enabled.')
  })

  test('pages', async () => {
    const channel = await at.channel('paged', everybody)
    const here = {as: JANE, channel}
    for (let index = 0; index < 11; index += 1) await hooks.automation(`Number ${index}`)
    const first = await ask('automations', here)
    expect(first.text.match(/when its webhook is called/g)).toHaveLength(10)
    const page = {...here, ts: first.ts}
    const second = await turnPage(world, page, ACTIONS.automationsMore)
    expect(second.text).toContain('*Nightly ∗check∗*')
    const back = buttonOf(second.blocks, 'Back to the start')
    expect((await turnPage(world, page, back)).text).toBe(first.text)
  })

  test('keeps the address of a webhook as a hook, which then starts it', async () => {
    const channel = await at.channel('called', everybody)
    await at.command('automations new', {as: JANE, channel})
    await at.reads(JANE, 'Keep it as a hook of this channel')
    const filled = {name: 'On deploy', prompt: 'a quick look', called: ['called']}
    await at.submit(JANE, {...filled, keep: ['keep']})
    const {text} = await at.hears(JANE, channel, '*On deploy* has a hook in this channel.')
    expect(text).toContain('has not set PUBLIC_URL')
    expect(text).not.toContain('/webhooks/automations/')
    const [path = ''] = /\/hooks\/\w+/.exec(text) ?? []
    const secret = /`(sk_hook_[\w-]+)`/.exec(text)?.[1] ?? ''
    const headers = {'content-type': 'application/json', authorization: `Bearer ${secret}`}
    expect((await hooks.post(path, '{"deploy":1}', headers)).status).toBe(202)
    expect(await hooks.receipts(channel, 1)).toEqual([
      '⚡️ *On deploy* started: its hook received a delivery.',
    ])
  })

  test('shows the address once where nobody keeps it, and says when it was lost', async () => {
    const channel = await at.channel('shown', everybody)
    const here = {as: JANE, channel}
    const filled = {name: 'Shown', prompt: 'a quick look', called: ['called']}
    await at.command('automations new', here)
    await at.reads(JANE, 'What should the agent do?')
    await at.submit(JANE, {...filled, keep: []})
    const {text} = await at.hears(JANE, channel, 'shown only once')
    expect(text).toMatch(/`http:\/\/127\.0\.0\.1:\d+\/webhooks\/automations\/[\w-]+`/)

    const lost = {kind: 'lost' as const, applied: true}
    world.platform.control.faults.add({
      ...{match: {method: 'POST', path: '/automations$'}, times: 1, fault: lost},
    })
    await at.command('automations new', here)
    await at.reads(JANE, 'What should the agent do?')
    await at.submit(JANE, {...filled, name: 'Lost', keep: ['keep']})
    await at.hears(JANE, channel, 'Its webhook address was lost on the way')
  })

  test('has words for a key that may only read, and for a channel without one', async () => {
    const channel = await at.channel('reader', everybody)
    const here = {as: JANE, channel}
    const key = {connection: 'new', [KEY_INPUT]: world.platform.keys.readOnly, label: 'Reader'}
    await at.connect(channel, {key, settings: {project: world.platform.projectIds[0] ?? ''}}, JANE)
    const list = await ask('automations', here)
    const refused = await press(ACTIONS.automationDelete, list.ts, here)
    expect(refused.text).toContain('This channel’s key can read automations but not change')
    await at.command('automations new', here)
    await at.reads(JANE, 'What should the agent do?')
    await at.submit(JANE, {...schedule, cron: '0 9 * * *', zone: 'UTC'})
    await at.reads(JANE, 'This channel’s key can read automations')
  })
})
