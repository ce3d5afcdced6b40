import {createHmac} from 'node:crypto'
import {join} from 'node:path'
import Database from 'better-sqlite3'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {ACTIONS, KEY_INPUT, SHORTCUTS} from '../../src/slack/ids.ts'
import {type Hooks, createHooks, deliveriesTold, runsTold} from '../support/hooks.ts'
import {type Modals, createModals} from '../support/modals.ts'
import {JANE, KIM, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'

const everybody = [JANE, KIM]
let world: World
let at: Modals
let hooks: Hooks

beforeAll(async () => {
  world = await startInside({
    pace: 0.05,
    settings: {PUBLIC_URL: 'https://bosun.example/', BOSUN_HOOKS_PER_MINUTE: '30'},
  })
  at = createModals(world)
  hooks = createHooks(world, at)
})
afterAll(() => world[Symbol.asyncDispose]())

const json = {'content-type': 'application/json'}

describe('a hook', () => {
  test('is made by an admin, takes what its senders prove, runs the automation once, and says so', async () => {
    const channel = await at.channel('hooked', everybody)
    await at.command('hooks', {as: KIM, channel})
    await at.hears(KIM, channel, 'This channel has no hooks.')
    await at.command('hooks new', {as: KIM, channel})
    await at.hears(KIM, channel, 'Only admins can make hooks.')
    const url = await hooks.automation('Deploy watch')
    const hook = await hooks.make(channel, 'Deploy watch', url)
    expect(hook.told).toContain('*Deploy watch* has a hook in this channel.')
    expect(hook.told).toContain(`Address: \`https://bosun.example${hook.path}\``)

    const bearer = {...json, authorization: `Bearer ${hook.secret}`}
    const sent = await hooks.post(hook.path, '{"deployed":"v1"}', bearer)
    expect(sent).toEqual({status: 202, body: {outcome: 'accepted'}})
    expect(await hooks.post(hook.path, '{"deployed":"v1"}', bearer)).toEqual({
      ...{status: 202, body: {outcome: 'duplicate'}},
    })
    const [first] = await hooks.receipts(channel, 1)
    expect(first).toBe('⚡️ *Deploy watch* started: its hook received a delivery.')

    const body = '{"big": 12345678901234567890, "é": "\\ud800"}'
    const timestamp = String(Math.floor(Date.now() / 1000))
    const hmac = (text: string): string =>
      createHmac('sha256', hook.secret).update(text).digest('hex')
    const signed = {
      ...json,
      'x-bosun-timestamp': timestamp,
      'x-bosun-signature': `v1=${hmac(`v1:${timestamp}:${body}`)}`,
      'idempotency-key': 'mine-1',
    }
    expect((await hooks.post(hook.path, body, signed)).status).toBe(202)
    // Signed over its key, it is taken under that key, and whoever saw it cannot send it under another.
    const keyed = {
      ...signed,
      'x-bosun-signature': `v2=${hmac(['v2', timestamp, 'mine-2', body].join('\n'))}`,
      'idempotency-key': 'mine-2',
    }
    expect((await hooks.post(hook.path, body, keyed)).status).toBe(202)
    const moved = await hooks.post(hook.path, body, {...keyed, 'idempotency-key': 'mine-3'})
    expect(moved.status).toBe(401)
    const github = {
      ...json,
      'x-hub-signature-256': `sha256=${hmac(body)}`,
      'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    }
    expect((await hooks.post(hook.path, body, github)).status).toBe(202)
    await hooks.receipts(channel, 4)
    const runs = world.platform.threads().map(({id}) => world.platform.transcript(id)[0]?.text)
    // As it came, up to its end, where one field stands behind it.
    expect(runs.filter((text) => text?.includes(body.slice(0, -1)))).toHaveLength(3)
    const keys = world
      .requests()
      .filter((row) => row.path.startsWith('/webhooks/'))
      .map(({idempotencyKey = ''}) => idempotencyKey)
    expect(keys[0]).toMatch(/^body-[0-9a-f]{64}$/)
    // They are passed on beside each other.
    expect(new Set(keys.slice(1))).toEqual(
      new Set(['mine-1', 'mine-2', github['x-github-delivery']]),
    )
    expect(keys).toHaveLength(4)
  })

  test('refuses everybody else alike, and nothing but POST does anything', async () => {
    const channel = await at.channel('refusing', everybody)
    const url = await hooks.automation('Refusing')
    const {path, secret} = await hooks.make(channel, 'Refusing', url)
    const bearer = {...json, authorization: `Bearer ${secret}`}
    const passedOn = (): number =>
      world.requests().filter(({path: of}) => of.includes('/webhooks/')).length
    const before = passedOn()
    for (const [where, headers] of [
      [path, {...json, authorization: 'Bearer wrong'}],
      [path, json],
      ['/hooks/nobodys', bearer],
      ['/hooks/../x', bearer],
      [path, {...bearer, 'x-hub-signature-256': 'sha256=00'}],
    ] as const) {
      const answer = await hooks.post(where, '{}', headers)
      expect(answer.status === 404 ? where : answer).toEqual(
        where.includes('..') ? where : {status: 401, body: {error: 'unauthorized'}},
      )
    }
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const answer = await fetch(hooks.origin() + path, {method, headers: bearer})
      expect([method, answer.status]).toEqual([method, 405])
    }
    const bad: readonly (readonly [string, object, number, string])[] = [
      ['[1]', {}, 400, 'no_object'],
      ['nothing', {}, 400, 'no_json'],
      ['', {}, 400, 'no_json'],
      [`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, {}, 400, 'too_deep'],
      ['{}', {'idempotency-key': 'x'.repeat(256)}, 400, 'bad_key'],
      ['{}', {'content-encoding': 'gzip'}, 415, 'no_content_encoding'],
      ['{}', {'content-type': 'text/plain'}, 415, 'no_json_type'],
      [`{"a":"${'x'.repeat(1_048_576)}"}`, {}, 413, 'too_large'],
    ]
    for (const [body, more, status, error] of bad) {
      const answer = await hooks.post(path, body, {...bearer, ...more})
      expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({error})])
    }
    expect(passedOn()).toBe(before)
    let answer = await hooks.post(path, '{}', bearer)
    for (let count = 0; answer.status === 202 && count < 40; count += 1) {
      answer = await hooks.post(path, '{}', bearer)
    }
    expect(answer).toMatchObject({status: 429, body: {error: 'too_often'}})
    expect(answer.retryAfter).toMatch(/^\d+$/)
  })

  test('is switched off and on, gets another secret while the old one still counts, and is deleted', async () => {
    const channel = await at.channel('kept', everybody)
    const {path, secret} = await hooks.make(channel, 'Kept', await hooks.automation('Kept'))
    const lists = () =>
      world.slack
        .ephemerals(channel, JANE)
        .filter((one) => one.text.startsWith('*Hooks of this channel*'))
    const list = async () => {
      const before = lists().length
      await at.command('hooks', {as: JANE, channel})
      return world.until('the list', () => lists()[before])
    }
    const press = async (actionId: string, ts: string, as = JANE) =>
      world.slack.people.press({as, channel, ts, actionId})
    const sent = async (value: string, by = secret) =>
      (await hooks.post(path, JSON.stringify({value}), {...json, authorization: `Bearer ${by}`}))
        .status
    const {ts, text} = await list()
    expect(text).toContain('*Kept* · 🟢 on · nothing delivered yet')
    await press(ACTIONS.hookDisable, ts)
    await at.hears(JANE, channel, '*Kept* is off')
    expect(await sent('while off')).toBe(403)
    const off = await list()
    await press(ACTIONS.hookEnable, off.ts)
    await at.hears(JANE, channel, '*Kept* is on.')
    await press(ACTIONS.hookSecret, (await list()).ts)
    const told = await at.hears(JANE, channel, '*Kept* has a new secret.')
    const fresh = /`(sk_hook_[\w-]+)`/.exec(told.text)?.[1] ?? ''
    expect(fresh).not.toBe(secret)
    expect([await sent('new', fresh), await sent('old')]).toEqual([202, 202])
    await hooks.receipts(channel, 2)
    expect((await list()).text).toContain('The previous secret is valid until')
    await press(ACTIONS.hookRevoke, (await list()).ts)
    await at.hears(JANE, channel, 'Only the newest secret of *Kept* is valid now.')
    expect([await sent('newest', fresh), await sent('revoked')]).toEqual([202, 401])
    expect((await list()).text).not.toContain('The previous secret is valid until')

    await press(ACTIONS.hookDelete, (await list()).ts)
    await at.hears(JANE, channel, 'The hook of *Kept* is deleted.')
    expect(await sent('gone', fresh)).toBe(401)
  })

  test('keeps a log of what came of each delivery, from which it is sent again', async () => {
    const channel = await at.channel('logged', everybody)
    const url = await hooks.automation('Logged')
    const {path, secret} = await hooks.make(channel, 'Logged', url)
    const bearer = {...json, authorization: `Bearer ${secret}`}
    const {faults} = world.platform.control
    const wrong = faults.add({
      match: {path: '/webhooks/'},
      times: 1,
      fault: {kind: 'answer', status: 404, applied: false, headers: {}},
    })
    expect(wrong).toBeDefined()
    await hooks.post(path, '{"n":1}', bearer)
    const [problem] = await hooks.receipts(channel, 1)
    expect(problem).toContain('its webhook address is wrong, or the automation is disabled')
    faults.add({match: {path: '/webhooks/'}, times: 2, fault: {kind: 'lost', applied: true}})
    await hooks.post(path, '{"n":2}', bearer)
    const receipts = await hooks.receipts(channel, 2)
    expect(receipts[1]).toContain('*Logged* started')

    await at.command('hooks', {as: KIM, channel})
    const {ts} = await at.hears(KIM, channel, '*Hooks of this channel*')
    await world.slack.people.press({as: KIM, channel, ts, actionId: ACTIONS.hookLog})
    const log = await at.hears(KIM, channel, '*Deliveries to Logged*')
    expect(log.text).toContain('✅ ran · 3 attempts')
    expect(log.text).toContain('⚠️ address wrong or automation disabled')
    const drawn = JSON.parse(log.blocks) as {block_id: string; accessory?: object}[]
    const {block_id: blockId = ''} = drawn.findLast(({accessory}) => accessory !== undefined) ?? {}
    const again = {as: KIM, channel, ts: log.ts, actionId: ACTIONS.hookAgain, blockId}
    await world.slack.people.press(again)
    await at.hears(KIM, channel, 'It is on its way again.')
    const all = await hooks.receipts(channel, 3)
    expect(all[2]).toContain('*Logged* started')
    const runs = world.platform.threads().map(({id}) => world.platform.transcript(id)[0]?.text)
    for (const body of ['{"n":1}', '{"n":2}']) {
      expect(runs.filter((text) => text?.includes(body.slice(0, -1)))).toHaveLength(1)
    }
  })

  test('keeps what was given up in a list, from which admins send it again or discard it', async () => {
    const channel = await at.channel('given-up', everybody)
    const url = await hooks.automation('Fragile')
    const {path, secret} = await hooks.make(channel, 'Fragile', url)
    const bearer = {...json, authorization: `Bearer ${secret}`}
    const refuse = (applied: boolean): void => {
      world.platform.control.faults.add({
        ...{match: {path: '/webhooks/'}, times: 1},
        fault: {kind: 'answer', status: 422, applied},
      })
    }
    // The platform had begun the second one, whatever it answered.
    for (const [index, applied] of [false, true, false].entries()) {
      refuse(applied)
      await hooks.post(path, `{"privately":${index}}`, bearer)
      await hooks.receipts(channel, index + 1)
    }
    await at.command('hooks', {as: KIM, channel})
    const seen = await at.hears(KIM, channel, '⚠️ 3 deliveries were given up.')
    expect(seen.blocks).not.toContain(ACTIONS.letters)
    const here = {as: JANE, channel}
    await at.command('hooks', here)
    const list = await at.hears(JANE, channel, '⚠️ 3 deliveries were given up.')
    await world.slack.people.press({...here, ts: list.ts, actionId: ACTIONS.letters})
    const letters = await at.hears(JANE, channel, '*Given up')
    expect(
      letters.text.match(
        /^\*Fragile\* · .* · the agent platform declined it · about \d\d bytes$/gm,
      ),
    ).toHaveLength(3)
    expect(letters.blocks).not.toContain('privately')
    const blocks = JSON.parse(letters.blocks) as {block_id: string; type: string}[]
    const [third, second, first] = blocks.filter(({type}) => type === 'actions')
    const press = (actionId: string, block: {block_id: string} | undefined) =>
      world.slack.people.press({...here, ts: letters.ts, actionId, blockId: block?.block_id ?? ''})
    // By two presses once.
    await Promise.all([1, 2].map(() => press(ACTIONS.letterAgain, first)))
    const left = await at.hears(JANE, channel, 'It is on its way again.')
    expect(left.ts).toBe(letters.ts)
    expect((await hooks.receipts(channel, 4))[3]).toBe(
      '⚡️ *Fragile* started: its hook received a delivery.',
    )
    const rest = async () =>
      (JSON.parse((await at.hears(JANE, channel, '*Given up')).blocks) as typeof blocks).filter(
        ({type}) => type === 'actions',
      )
    expect([third, second]).not.toContain(undefined)
    await press(ACTIONS.letterAgain, (await rest())[1])
    expect((await hooks.receipts(channel, 5))[4]).toBe(
      '⚡️ *Fragile* already ran for this delivery. Nothing new was started.',
    )
    await press(ACTIONS.letterDiscard, (await rest())[0])
    await at.hears(JANE, channel, 'It is discarded.')
    const runs = world.platform.threads().map(({id}) => world.platform.transcript(id)[0]?.text)
    const begun = [0, 1, 2].map((n) => runs.filter((text) => text?.includes(`{"privately":${n},`)))
    expect(begun.map(({length}) => length)).toEqual([1, 1, 0])
    await at.command('hooks', here)
    await world.until('the list counts none', () => {
      const lists = world.slack.ephemerals(channel, JANE).filter(({ts}) => ts > letters.ts)
      return lists.some(({text}) => text.includes('*Fragile*') && !text.includes('given up.'))
    })
  })

  test('leads to the work that it began, which is followed here by a press, or by itself', async () => {
    const channel = await at.channel('results', everybody)
    const url = await hooks.automation('Nightly')
    const {path, secret} = await hooks.make(channel, 'Nightly', url)
    const bearer = {...json, authorization: `Bearer ${secret}`}
    const receipt = (nth: number) =>
      world.until(`receipt ${nth} says what runs`, () => {
        const found = world.slack
          .messages(channel)
          .filter(({text}) => text.startsWith('⚡️ *Nightly*'))[nth]
        return found?.text.includes('▶️ It runs: *') === true && found
      })
    await hooks.post(path, '{"night":1}', bearer)
    const first = await receipt(0)
    expect(first.text).toMatch(
      /^⚡️ \*Nightly\* started: its hook received a delivery\.\n▶️ It runs: \*.+\*$/,
    )
    await world.slack.people.press({
      ...{as: KIM, channel, ts: first.ts, actionId: ACTIONS.runFollow},
    })
    const followed = await at.hears(KIM, channel, 'Slack thread')
    expect(followed.text).toContain('<http')
    const runOf = (body: string) =>
      world.platform.threads().find(({id}) => {
        const [told] = world.platform.transcript(id)
        return told?.text.includes(body)
      })
    const heads = () =>
      world.slack.messages(channel).filter(({userId, threadTs, text}) => {
        return userId === world.slack.botUserId && threadTs === undefined && !/^[⚡⚪⚠]/u.test(text)
      })
    expect(heads()).toHaveLength(1)
    await world.until('the work is shown', () =>
      world.ours({channel, ts: heads()[0]?.ts ?? ''}).some(({text}) => text.includes('Done')),
    )

    await at.command('hooks', {as: JANE, channel})
    const list = await at.hears(JANE, channel, '*Hooks of this channel*')
    await world.slack.people.press({
      ...{as: JANE, channel, ts: list.ts, actionId: ACTIONS.hookFollow},
    })
    await at.hears(JANE, channel, 'starts from now on is followed here')
    await hooks.post(path, '{"night":2}', bearer)
    await world.until('it is followed by itself', () => heads().length === 2)
    expect((await receipt(1)).text).toContain('▶️ It runs: *')
    // What the sender wrote reaches the agent as it came, and one field more.
    const told = world.platform.transcript(runOf('{"night":2,')?.id ?? '')[0]?.text
    expect(told).toMatch(/\{"night":2,"bosunRun":"bosun-run:[\w-]{16}"\}/)
  })

  test('of a private channel begins work that no other channel hears of', async () => {
    const memberIds = [...everybody, world.slack.botUserId]
    const {id: channel} = await world.slack.people.createChannel({
      ...{name: 'secret-runs', memberIds, isPrivate: true},
    })
    const elsewhere = await at.channel('curious', everybody)
    const {path, secret} = await hooks.make(channel, 'Audit', await hooks.automation('Audit'))
    const bearer = {...json, authorization: `Bearer ${secret}`}
    await hooks.post(path, '{"salary":"Wolverine"}', bearer)
    await world.until('it is found', () =>
      world.slack.messages(channel).some(({text}) => text.includes('▶️ It runs: *')),
    )
    const [run] = world.platform
      .threads()
      .filter(({id}) => world.platform.transcript(id).some(({text}) => text.includes('Wolverine')))
    await at.command(`follow ${run?.id ?? ''}`, {as: JANE, channel: elsewhere})
    await at.hears(JANE, elsewhere, 'no such work')
    const database = new Database(join(world.folder, 'bosun.db'))
    const begun = database.prepare('select * from private_beginnings').all()
    const runs = database.prepare("select * from runs where name = 'Audit'").all()
    database.close()
    expect(begun).toEqual([])
    expect(runs).toMatchObject([{thread_id: run?.id, channel, due_at_ms: null, is_private: 1}])
  })

  test('of a channel that is for some people alone, with an automation of another project, begins work of which no other channel hears', async () => {
    const channel = await at.channel('legal', everybody)
    const elsewhere = await at.channel('nosy', everybody)
    const key = {connection: 'new', [KEY_INPUT]: world.platform.keys.readWrite}
    const settings = {project: 'project_api', who: 'list', people: [JANE]}
    await at.connect(channel, {key, settings}, JANE)
    const {path, secret} = await hooks.make(channel, 'Claims', await hooks.automation('Claims'))
    const bearer = {...json, authorization: `Bearer ${secret}`}
    await hooks.post(path, '{"claim":"Wombat"}', bearer)
    await world.until('it is found', () =>
      world.slack.messages(channel).some(({text}) => text.includes('▶️ It runs: *')),
    )
    const [run] = world.platform
      .threads()
      .filter(({id}) => world.platform.transcript(id).some(({text}) => text.includes('Wombat')))
    await at.command(`follow ${run?.id ?? ''}`, {as: JANE, channel: elsewhere})
    await at.hears(JANE, elsewhere, 'no such work')
    const database = new Database(join(world.folder, 'bosun.db'))
    const runs = database.prepare("select * from runs where name = 'Claims'").all()
    const made = database.prepare("select * from hooks where name = 'Claims'").all()
    database.close()
    // Wherever it would run, until the first one was found.
    expect(runs).toMatchObject([{thread_id: run?.id, is_private: 1, project_id: ''}])
    expect(made).toMatchObject([{project_id: 'project_web'}])
  })

  test('gets a message of Slack by the shortcut, and the address never shows', async () => {
    const channel = await at.channel('sent', everybody)
    const url = await hooks.automation('Triage')
    const {ts} = await world.slack.people.post({as: KIM, channel, text: 'The *shop* is down'})
    const use = async () =>
      world.slack.people.messageShortcut({as: KIM, channel, ts, callbackId: SHORTCUTS.automate})
    await use()
    await at.reads(KIM, 'This channel has no hook that is on')
    await world.slack.people.closeView({as: KIM})
    await hooks.make(channel, 'Triage', url)
    await use()
    await at.reads(KIM, 'Automation (Triage)')
    // Both times it opened whole.
    const filledIn = world.slack.ledger.calls.filter(
      ({method, args}) => method === 'views.update' && JSON.stringify(args).includes('Automation'),
    )
    expect(filledIn).toEqual([])
    await at.submit(KIM, {})
    await at.hears(KIM, channel, 'It is on its way to *Triage*.')
    await hooks.receipts(channel, 1)
    const [run] = world.platform
      .threads()
      .map(({id}) => world.platform.transcript(id)[0]?.text ?? '')
      .filter((text) => text.includes('shop'))
    const sent = JSON.parse(/\{.*\}/.exec(run ?? '')?.[0] ?? '') as {
      message: Record<string, string>
    }
    const {author, permalink, ...message} = sent.message
    expect(message).toEqual({text: 'The *shop* is down', channel: 'sent', ts})
    expect(author).toContain('Kim')
    expect(permalink).toContain(`/archives/${channel}/p`)
    // An alert, whose words stand beside its text.
    const alert = await world.slack.people.postAsApp({
      ...{appId: 'A0SENTRY', name: 'Sentry', channel, text: ''},
      attachments: [
        {title: 'Cart is empty'},
        {is_share: true, author_name: 'Sam', text: 'since the shop moved'},
      ],
    })
    const callbackId = SHORTCUTS.automate
    await world.slack.people.messageShortcut({as: KIM, channel, ts: alert.ts, callbackId})
    await at.reads(KIM, 'Automation (Triage)')
    await at.submit(KIM, {})
    await hooks.receipts(channel, 2)
    const prompts = world.platform.threads().map(({id}) => world.platform.transcript(id)[0]?.text)
    expect(prompts.find((text) => text?.includes('since the shop moved'))).toContain(
      'Cart is empty',
    )
    // The address and its secret part stand in nothing that Slack was told or we logged.
    const told = JSON.stringify(world.slack.ledger.calls.map(({args}) => args))
    const secretPart = url.split('/').at(-1) ?? ''
    expect(told).not.toContain(secretPart)
    expect(world.bot.output()).not.toContain(secretPart)
  })

  test('gets words of a private place from whoever was told that others see them then', async () => {
    const form = (): string => JSON.stringify(world.slack.views(KIM).modals.at(-1)?.view)
    const warning = 'and can be seen by whoever sees the project’s work'
    for (const isPrivate of [false, true]) {
      const name = isPrivate ? 'within' : 'without'
      const memberIds = [...everybody, world.slack.botUserId]
      const {id: channel} = await world.slack.people.createChannel({name, memberIds, isPrivate})
      await hooks.make(channel, name, await hooks.automation(name))
      const {ts} = await world.slack.people.post({as: KIM, channel, text: 'Between us'})
      const callbackId = SHORTCUTS.automate
      await world.slack.people.messageShortcut({as: KIM, channel, ts, callbackId})
      await at.reads(KIM, `Automation (${name})`)
      expect(form().includes(warning)).toBe(isPrivate)
      await world.slack.people.closeView({as: KIM})
    }
  })

  test('says what is wrong with an address before it takes it', async () => {
    const channel = await at.channel('wrong', everybody)
    await at.command('hooks new', {as: JANE, channel})
    await at.reads(JANE, 'Webhook address of the automation')
    await at.submit(JANE, {name: 'X', [KEY_INPUT]: 'https://example.com/'})
    await at.reads(JANE, '! That is not an automation’s webhook address')
    await at.submit(JANE, {name: 'X', [KEY_INPUT]: 'https://evil.example/webhooks/automations/x'})
    await at.hears(JANE, channel, 'That address is not on the agent platform')
  })

  test('whose secrets cannot be opened is listed as that, beside the others', async () => {
    const channel = await at.channel('sealed', everybody)
    const lost = await hooks.make(channel, 'Lost', await hooks.automation('Lost'))
    const sound = await hooks.make(channel, 'Sound', await hooks.automation('Sound'))
    const database = new Database(join(world.folder, 'bosun.db'))
    database.prepare("update hooks set sealed = 'gone:' || sealed where name = ?").run('Lost')
    database.close()
    await at.command('hooks', {as: KIM, channel})
    const list = await at.hears(KIM, channel, '*Hooks of this channel*')
    expect(list.text).toMatch(
      /\*Lost\*[^*]*⚠️ I can no longer open its secrets[^*]*\*Sound\* · 🟢 on/,
    )
    expect(list.text).toContain(sound.path)
    expect(list.blocks).not.toContain('New secret')
    const bearer = {...json, authorization: `Bearer ${lost.secret}`}
    expect((await hooks.post(lost.path, '{}', bearer)).status).toBe(503)
    const alright = {...json, authorization: `Bearer ${sound.secret}`}
    expect((await hooks.post(sound.path, '{}', alright)).status).toBe(202)
    await hooks.receipts(channel, 1)

    const message = await world.slack.people.post({as: KIM, channel, text: 'The shop is down'})
    const callbackId = SHORTCUTS.automate
    await world.slack.people.messageShortcut({as: KIM, channel, ts: message.ts, callbackId})
    await at.reads(KIM, 'Automation (Lost)')
    await at.submit(KIM, {})
    await at.hears(KIM, channel, 'I can no longer open its secrets')
    await at.command('hooks', {as: JANE, channel})
    const {ts, blocks} = await at.hears(JANE, channel, '*Hooks of this channel*')
    expect(blocks.match(/"New secret"/g)).toHaveLength(2) // its button, and what that asks
    await world.slack.people.press({as: JANE, channel, ts, actionId: ACTIONS.hookDelete})
    await at.hears(JANE, channel, 'The hook of *Lost* is deleted.')
  })

  test('loses nothing and doubles nothing when the bot is killed behind its answer', async () => {
    const channel = await at.channel('killed', everybody)
    const {path, secret} = await hooks.make(channel, 'Killed', await hooks.automation('Killed'))
    const bearer = {...json, authorization: `Bearer ${secret}`}
    for (let count = 0; count < 3; count += 1) {
      await world.moveOut()
      expect((await hooks.post(path, `{"kill":${count}}`, bearer)).status).toBe(202)
      await world.bot.kill()
      await world.startBot()
    }
    const receipts = await hooks.receipts(channel, 3)
    expect([deliveriesTold(receipts), runsTold(receipts)]).toEqual([3, 3])
    const runs = world.platform.threads().map(({id}) => world.platform.transcript(id)[0]?.text)
    for (const count of [0, 1, 2]) {
      expect(runs.filter((text) => text?.includes(`{"kill":${count},`))).toHaveLength(1)
    }
  })
})
