import {join} from 'node:path'
import Database from 'better-sqlite3'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {ACTIONS, KEY_INPUT, SHORTCUTS} from '../../src/slack/ids.ts'
import {texts} from '../../src/slack/texts.ts'
import {type Modals, createModals} from '../support/modals.ts'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {startInside} from './open-world.ts'
import {reviewTexts} from '../../src/features/reviews/texts.ts'
import {conversationTexts} from '../../src/features/conversation/texts.ts'

let world: World
let at: Modals

beforeAll(async () => {
  world = await startInside({pace: 0.1, proxy: true, settings: {BOSUN_ADMINS: KIM}})
  at = createModals(world)
})
afterAll(() => world[Symbol.asyncDispose]())

describe('/review', () => {
  test('shows a review in a Slack thread of its own, from its beginning on', async () => {
    const channel = await at.channel('reviews', [JANE, KIM])
    const number = pullRequest()
    const said = `<https://github.com/acme/web/pull/${number}/files?diff=split#top|the PR>`
    const head = await begins(said, {channel})
    expect(heads(channel)).toHaveLength(1)
    expect(head.text).toMatch(
      new RegExp(
        `^🔍 Review(?:ing| of) <https://github.com/acme/web/pull/${number}\\|acme/web#${number}> at \`[0-9a-f]{7}\` · asked by @Jane$`,
      ),
    )
    const place = {channel, ts: head.ts}
    const {threadId, texts: words} = await reviewIn(place, number)
    // What the channel shows is not whispered beside it.
    expect(answersTo(JANE, channel)).toEqual([])
    expect(JSON.stringify(world.ours(place)[0]?.blocks)).toContain('asked by @Jane')
    expect(words.length).toBeGreaterThan(0)
    await world.until('its head says so, too', () =>
      heads(channel)[0]?.text.startsWith('🔍 Review of <'),
    )
    expect(world.platform.threads().filter(({id}) => id === threadId)).toHaveLength(1)

    const again = await ask(`acme/web#${number}`, {channel, as: KIM})
    expect(again.text).toMatch(/^Already reviewed at this commit\. .*\/p\d+\|/)
    expect(heads(channel)).toHaveLength(1)
    const press = {as: KIM, channel, ts: again.ts, actionId: ACTIONS.reviewAgain}
    await Promise.all([world.slack.people.press(press), world.slack.people.press(press)])
    await world.until('it is run again', () => heads(channel).length === 2)
    await world.until('nothing is left to ask', () => answersTo(KIM, channel).length === 0)
    await reviewIn({channel, ts: heads(channel)[1]?.ts ?? ''}, number)
    await world.until('both are over', () =>
      threadsOf(number).every(({status}) => status === 'idle'),
    )
    expect(roundsOf(number)).toBe(2)

    await begins(`acme/web ${number} FORCE`, {channel})
    expect(roundsOf(number)).toBe(3)
  })

  test('of two at once makes one review and one Slack thread', async () => {
    const channel = await at.channel('race', [JANE, KIM])
    const number = pullRequest()
    // Whoever comes second meets it under way, however late.
    const steps = [{kind: 'think', delayMs: 3_600_000}] as const
    world.platform.control.planScript({when: {text: `acme/web#${number} at `}, steps})
    await command(`acme/web#${number}`, {channel})
    await command(`github.com/acme/web/pull/${number}`, {channel, as: KIM})
    const told = await world.until('whoever came second is told', () =>
      [JANE, KIM]
        .flatMap((user) => answersTo(user, channel))
        .find(({text}) => text.includes('already under way')),
    )
    const [head, ...others] = heads(channel)
    expect(others).toEqual([])
    expect(told.text).toContain(`/p${head?.ts.replace('.', '')}|`)
    expect(roundsOf(number)).toBe(1)
  })

  test('survives a crash between the call and its answer, and lost answers', async () => {
    await world.moveOut()
    const channel = await at.channel('crash', [JANE, KIM])
    const number = pullRequest()
    const {faults} = world.platform.control
    faults.add({
      match: {method: 'POST', path: '/reviews'},
      fault: {kind: 'delay', answerMs: 60_000},
    })
    await world.slack.people.command({
      ...{as: JANE, channel, command: '/review', text: `acme/web#${number}`},
    })
    await world.until('the round stands', () => roundsOf(number) === 1)
    await world.bot.kill()
    faults.clear()
    faults.add({match: {method: 'POST', path: '/reviews'}, fault: {kind: 'lost', applied: true}})
    await world.startBot()
    const head = await world.until('its Slack thread begins', () => heads(channel)[0])
    await reviewIn({channel, ts: head.ts}, number)
    expect(heads(channel)).toHaveLength(1)
    expect(roundsOf(number)).toBe(1)
    faults.clear()
  })

  test('says at its head that it is over, also after a kill in between', async () => {
    await world.moveOut()
    const channel = await at.channel('over', [JANE, KIM])
    const number = pullRequest()
    const steps = [{kind: 'think', delayMs: 20_000}] as const
    world.platform.control.planScript({when: {text: `acme/web#${number} at `}, steps})
    const head = await begins(`acme/web#${number}`, {channel})
    expect(head.text).toMatch(/^🔍 Reviewing <.* · asked by @Jane$/)
    world.slack.faults.storm('chat.update', {ms: 600_000})
    await world.until('it is over', () => threadsOf(number).every(({status}) => status === 'idle'))
    await world.bot.kill()
    world.slack.faults.calm()
    await world.startBot()
    await world.until('its head says so', () =>
      heads(channel)[0]?.text.startsWith('🔍 Review of <'),
    )
    expect(heads(channel).map(({ts}) => ts)).toEqual([head.ts])
  })

  test('says that it has begun, also where its thread is out of reach', async () => {
    const channel = await at.channel('hidden', [JANE, KIM])
    const number = pullRequest()
    const {faults} = world.platform.control
    faults.add({
      ...{times: null, match: {method: 'GET', path: '/threads/[^/]+$'}},
      fault: {kind: 'answer', status: 404, body: {_tag: 'svc/ThreadNotFound'}, applied: false},
    })
    const told = await ask(`acme/web#${number}`, {channel})
    faults.clear()
    expect(told.text).toContain('is being reviewed, or already was at this commit, but I can’t')
    expect(roundsOf(number)).toBe(1)
  })

  test('says that nobody knows where it is, when the platform does not name its thread', async () => {
    const channel = await at.channel('nameless', [JANE, KIM])
    const {faults} = world.platform.control
    const answers: [object, string][] = [
      [{adopted: false}, '|acme/web#12> is being reviewed. '],
      [{adopted: true}, '|acme/web#12>. '],
    ]
    for (const [round, words] of answers) {
      const body = {reviewId: 'review_of_nobody', ...round}
      const fault = {kind: 'answer' as const, status: 200, body, applied: false}
      faults.add({match: {method: 'POST', path: '/reviews'}, fault})
      expect((await ask('acme/web#12', {channel})).text).toContain(
        `${words}The agent platform does not say where the review is, so I can’t show it.`,
      )
      faults.clear()
    }
  })

  test('that starts work counts like a start, and what adds none does not', async () => {
    await world.moveOut()
    const channel = await at.channel('limited', [JANE, KIM])
    const key = {[KEY_INPUT]: world.platform.keys.human, label: 'Limited'}
    const settings = {project: 'project_web', perPerson: '2'}
    await at.connect(channel, {key, settings}, KIM)
    const [first, second, third] = [pullRequest(), pullRequest(), pullRequest()]
    expect((await ask('acme/web#13', {channel})).text).toContain('was not reviewed')
    await begins(`acme/web#${first}`, {channel})
    await world.until('it is over', () => threadsOf(first).every(({status}) => status === 'idle'))
    const already = await ask(`acme/web#${first}`, {channel})
    expect(already.text).toContain('Already reviewed at this commit.')
    await begins(`acme/web#${second}`, {channel})
    // Who has none left begins nothing: that one is known already can't be asked without beginning it.
    const limit = /^You have started work 2 times here in the last 24 hours/
    expect((await ask(`acme/web#${third}`, {channel})).text).toMatch(limit)
    const press = {as: JANE, channel, ts: already.ts, actionId: ACTIONS.reviewAgain}
    const before = answersTo(JANE, channel).length
    await world.slack.people.press(press)
    const refused = await world.until('it is answered', () => answersTo(JANE, channel)[before])
    expect(refused.text).toMatch(limit)
    const task = await world.say('@Bosun a quick check', {channel})
    await world.until('the start is refused', () => answersTo(JANE, channel)[before + 1])
    expect(world.threadIn(task)).toBeUndefined()
    expect([roundsOf(first), roundsOf(second), roundsOf(third)]).toEqual([1, 1, 0])
    // Each has their own, also behind a restart.
    await world.bot.kill()
    await world.startBot()
    expect((await ask(`acme/web#${third}`, {channel})).text).toMatch(limit)
    await begins(`acme/web#${third}`, {channel, as: KIM})
  })

  test('says in plain words why a pull request is not reviewed', async () => {
    const answers: [string, string][] = [
      ['acme/web#13', 'was not reviewed: The pull request is a draft.'],
      ['acme/web#14', 'was not reviewed: The pull request is closed.'],
      ['acme/web#15', 'does not exist, or the provider does not let the service read it.'],
      ['acme/attic#1', 'installation does not cover the repository.'],
    ]
    for (const [said, words] of answers) expect((await ask(said)).text).toContain(words)
    const {faults} = world.platform.control
    const refusals: [number, object, string][] = [
      [404, {_tag: 'svc/RepositoryNotFound'}, 'in *acme/web*: it does not exist, or my key'],
      [403, {_tag: 'svc/Forbidden'}, 'in *acme/web*: it does not exist, or my key'],
      [422, {_tag: 'svc/ReviewRefused'}, 'gave no reason. It may be closed'],
      [422, {_tag: 'svc/ReviewRefused', reason: 'no <!channel> *'}, 'no &lt;!channel&gt;'],
      [422, {_tag: 'svc/ReviewRefused', reason: 'draft_pull_request'}, ': draft pull request'],
      [401, {_tag: 'svc/Unauthorized'}, 'no longer accepts the key of this channel'],
    ]
    for (const [status, body, words] of refusals) {
      const fault = {kind: 'answer' as const, status, body: body as never, applied: false}
      faults.add({match: {method: 'POST', path: '/reviews'}, fault})
      expect((await ask('acme/web#12')).text).toContain(words)
      faults.clear()
    }
  })

  test('names what is right for what it cannot read', async () => {
    const answers: [string, string][] = [
      ['acme/web', 'Say `/review acme/web#12`.'],
      ['#7', 'Say `/review owner/repo#7`.'],
      ['acme/web#0', 'No pull request has that number.'],
      ['acme/web#99999999999', 'No pull request has that number.'],
      ['<https://github.com/Acme/web/issues/12>', '`/review Acme/web#12`'],
      ['acme/web#12 forse', '`/review acme/web#12 force`'],
      ['ruls', 'Did you mean `/review rules`?'],
      ['R&amp;D', '`R&amp;D`'],
      ['xylophone-quartz', 'Name it by its web address, or as `owner/repo#12`'],
      ['billing declne acme/web', 'Did you mean `/review billing decline owner/repo`?'],
      ['billing', 'Say which repository'],
      ['filters all', 'takes nothing after it'],
    ]
    for (const [said, words] of answers) {
      expect((await ask(said, {as: KIM})).text, said).toContain(words)
    }
    const help = (await ask('help')).text
    expect((await ask('')).text).toBe(help)
    for (const word of ['rules', 'filters', 'billing decline', 'help', 'acme/web#12 force']) {
      expect(help).toContain(`\`/review ${word}`)
    }
  })

  test('begins nothing where nobody would see it, or that no key is for', async () => {
    expect((await ask('acme/web#12', {channel: 'C0RANDOM'})).text).toContain('/invite @Bosun')
    await using bare = await startInside({
      settings: {PLATFORM_API_KEY: '', PLATFORM_PROJECT_ID: '', BOSUN_ADMINS: KIM},
    })
    const words = ['acme/web#12', 'rules', 'filters', 'billing decline acme/web']
    for (const [index, text] of words.entries()) {
      await bare.slack.people.command({as: KIM, channel: 'C0WEB', command: '/review', text})
      const told = await bare.until('Kim is told', () => bare.slack.ephemerals('C0WEB', KIM)[index])
      expect(told.text).toContain('This channel is not connected')
      expect(JSON.stringify(told.blocks)).toContain(ACTIONS.connect)
    }
  })
})

describe('a pull request that an agent names', () => {
  test('has one card, from which it is reviewed and changes are asked for', async () => {
    await world.moveOut()
    const place = await world.say('@Bosun open a pull request for the cart')
    await world.settled(place)
    // The call for the review is its card.
    const card = await world.until('its card stands', () => cardsIn(place)[0])
    const number = /#(\d+)/.exec(card.text)?.[1] ?? ''
    const name = `acme/web#${number}`
    const address = `https://github.com/acme/web/pull/${number}`
    expect(card.text).toBe(
      `🟢 <@U0JANE>, this is ready for your review · <${address}|PR #${number}>`,
    )
    const replyTs = world.ours(place).find(({text}) => text.includes('I opened'))?.ts ?? ''
    expect(card.ts > replyTs).toBe(true)
    await world.bot.kill()
    await world.startBot()
    await world.reply(place, 'a quick check of the pr once more')
    await world.settled(place)
    expect(cardsIn(place)).toHaveLength(1)
    expect(verdict(world, place)).toEqual(FAULTLESS)

    await world.press(place, ACTIONS.askForChanges, KIM)
    expect(await at.reads(KIM, 'What should be different?')).toContain(name)
    await at.submit(KIM, {changes: '  '})
    expect(at.text(KIM)).toContain(`! ${reviewTexts.changes.empty}`)
    await at.submit(KIM, {changes: 'Rename total to sum.'})
    const sent = await world.until('the agent has it', () =>
      world
        .transcriptIn(place)
        .find(({source, text}) => source === 'user' && text.includes('Rename total')),
    )
    expect(sent.text).toMatch(/^Kim\b.*in #web \(slack:\w+\):\n/)
    expect(sent.text).toContain(`About the pull request ${address}:\nRename total to sum.`)
    await world.settled(place)

    const source = world.threadIn(place)?.id ?? ''
    const heard = () =>
      world.transcriptIn(place).filter(({text}) => text.startsWith(`The review of ${name} at `))
    const before = answersTo(JANE, place.channel).length
    await world.press(place, ACTIONS.review)
    const told = await world.until('Jane is told', () => answersTo(JANE, place.channel)[before])
    expect(told.threadTs).toBe(place.ts)
    expect(told.text).toContain(reviewTexts.recorded)
    expect(world.posts('/api/v1/reviews').at(-1)?.body).toMatchObject({sourceThreadId: source})
    await world.until('the agent hears of the outcome', () => heard().length === 1)
    await world.settled(place)
    await world.press(place, ACTIONS.review, KIM)
    const late = await world.until('Kim is told', () =>
      answersTo(KIM, place.channel).findLast(({text}) => text.startsWith('Already reviewed')),
    )
    expect(late.text).toContain(reviewTexts.notRecorded)
    const {ts, channel} = {...place, ts: late.ts}
    await world.slack.people.press({as: KIM, channel, ts, actionId: ACTIONS.reviewAgain})
    await world.until('it is run again', () =>
      answersTo(KIM, channel).some(
        (answer) => answer.ts === ts && answer.text.includes(reviewTexts.recorded),
      ),
    )
    await world.until('the agent hears of it again', () => heard().length === 2)
    await world.settled(place)
    expect(cardsIn(place)).toHaveLength(1)
    expect(verdict(world, place)).toEqual(FAULTLESS)
  })

  test('is reviewed from the modal of the work, too', async () => {
    const channel = await at.channel('modal', [JANE, KIM])
    const place = await world.say('@Bosun a quick check', {channel})
    await world.settled(place)
    const {ts} = place
    const open = async () => {
      await world.slack.people.messageShortcut({
        ...{as: KIM, channel, ts, callbackId: SHORTCUTS.manage},
      })
      await at.reads(KIM, /\$\d/)
      await world.until(
        'it is read',
        () => !at.text(KIM).includes(conversationTexts.manage.reading),
      )
    }
    const offersReview = () =>
      JSON.stringify(world.slack.views(KIM).modals.at(-1)?.view).includes(ACTIONS.review)
    await open()
    expect(offersReview()).toBe(false)
    await world.slack.people.closeView({as: KIM})
    await world.reply(place, 'open a pull request for the basket')
    await world.until('its card stands', () => cardsIn(place)[0])
    await world.settled(place)
    await open()
    expect(offersReview()).toBe(true)
    const before = answersTo(KIM, channel).length
    const asked = world.posts('/api/v1/reviews').length
    await world.slack.people.useView({as: KIM, actionId: ACTIONS.review})
    const answer = await world.until('it is answered', () => answersTo(KIM, channel)[before])
    await at.reads(KIM, reviewTexts.askedInModal)
    expect(answer.text).toContain('acme/web#')
    expect(answer.threadTs).toBe(ts)
    expect(world.posts('/api/v1/reviews').slice(asked)).toMatchObject([
      {body: {sourceThreadId: world.threadIn(place)?.id}},
    ])
  })

  test('is reviewed by a word, too', async () => {
    const place = await world.say('@Bosun a quick check of nothing')
    await world.settled(place)
    await world.reply(place, '!review')
    await at.hears(JANE, place.channel, '`!review owner/repo#12`')
    const number = pullRequest()
    await world.reply(place, `!review acme/web#${number}`)
    await at.hears(JANE, place.channel, reviewTexts.recorded)
    await world.until('the agent hears of it', () =>
      world
        .transcriptIn(place)
        .some(({text}) => text.startsWith(`The review of acme/web#${number}`)),
    )
    await world.settled(place)
    expect(cardsIn(place)).toEqual([])

    const channel = await at.channel('rekeyed', [JANE, KIM])
    const before = await world.say('@Bosun a quick check of little', {channel})
    await world.settled(before)
    const key = {connection: 'new', [KEY_INPUT]: world.platform.keys.readWrite}
    await at.connect(channel, {key, settings: {project: 'project_web'}}, KIM)
    const asked = world.posts('/api/v1/reviews').length
    await world.reply(before, `!review acme/web#${pullRequest()}`)
    await at.hears(JANE, channel, reviewTexts.otherKey)
    expect(world.posts('/api/v1/reviews')).toHaveLength(asked)
    const alone = await world.say('@Bosun !review acme/web#12')
    await at.hears(JANE, alone.channel, texts.pullRequests.named.noAgent)
  })
})

describe('what reviews look for, and what is reviewed', () => {
  test('a rule is created with a form, which says where it holds', async () => {
    const channel = await at.channel('rules', [JANE, KIM])
    await command('rules Round prices &amp; taxes &lt;once&gt;.', {channel})
    await at.reads(JANE, 'What should reviews look for? (Round prices & taxes <once>.)')
    await at.submit(JANE, {rule: 'Round every price once.', scopes: 'acme'})
    expect(at.text(JANE)).toContain('! "acme" must look like "owner/repo: src/**, test/**".')
    await at.submit(JANE, {rule: 'Round every price once.', scopes: '', file: 'docs/REVIEW.md'})
    expect(at.text(JANE)).toContain('! Write it like "acme/web:docs/REVIEWING.md".')
    await at.submit(JANE, {rule: 'Round every price once.', scopes: '', file: ''})
    expect(at.text(JANE)).toContain(`! ${reviewTexts.rule.nowhere}`)
    await at.submit(JANE, {
      ...{rule: 'Round every price once.', scopes: 'acme/web: src/**, test/**\nacme/attic'},
      file: 'acme/api:docs/REVIEW.md',
    })
    const told = await at.hears(JANE, channel, '✅ The rule is set:')
    expect(told.text).toContain('>Round every price once.')
    expect(told.text).toContain('• *acme/web* `src/**`, `test/**`')
    expect(told.text).toContain('• *acme/attic* everywhere in it · ⚠️ not covered')
    expect(told.text).toContain('• *acme/api* the file `docs/REVIEW.md`')
    expect(world.posts('/api/v1/review-rules')).toHaveLength(1)
  })

  test('of a rule whose answer is lost, nobody makes a second one', async () => {
    await world.moveOut()
    const channel = await at.channel('lost', [JANE, KIM])
    const {faults} = world.platform.control
    const match = {method: 'POST', path: '/review-rules'}
    const submit = async (rule: string): Promise<void> => {
      await command('rules', {channel})
      await at.reads(JANE, 'What should reviews look for?')
      await at.submit(JANE, {rule, scopes: 'acme/web'})
    }
    const made = () => world.posts('/api/v1/review-rules').length
    const before = made()
    faults.add({match, fault: {kind: 'lost', applied: true}})
    await submit('One rule.')
    const unsure = await at.hears(JANE, channel, 'Not sure whether this rule was created')
    expect(unsure.text).toContain('>One rule.')
    expect(made()).toBe(before + 1)
    const body = {_tag: 'svc/RateLimited'}
    faults.add({match, fault: {kind: 'answer', status: 429, body, applied: false}})
    await submit('Another rule.')
    expect((await at.hears(JANE, channel, 'The rule was not created:')).text).toContain(
      '>Another rule.',
    )
    faults.clear()
    faults.add({match, fault: {kind: 'delay', answerMs: 60_000}})
    await submit('A third rule.')
    await world.until('it is being made', () => isBegun('A third rule.'))
    await world.bot.kill()
    faults.clear()
    await world.startBot()
    await world.until(
      'Jane is told',
      () =>
        answersTo(JANE, channel).some(
          ({text}) => text.includes('Not sure') && text.includes('>A third rule.'),
        ),
      60_000,
    )
    expect(made()).toBeLessThanOrEqual(before + 3)
  })

  test('filters are listed, and deleted by admins', async () => {
    const channel = await at.channel('filters', [JANE, KIM])
    const list = await ask('filters', {channel})
    expect(list.text).toContain('*acme/web* · label is not `wip` · by Kim')
    expect(list.text).toContain('*acme/api* · label is `docs` · by Jane')
    expect(JSON.stringify(list.blocks)).toContain('Delete this filter?')
    const press = (as: string, ts: string) =>
      world.slack.people.press({as, channel, ts, actionId: ACTIONS.deleteFilter})
    const own = await ask('filters', {channel, as: KIM})
    await press(KIM, own.ts)
    await at.hears(KIM, channel, reviewTexts.filters.deleted)
    expect((await ask('filters', {channel})).text).not.toContain('`wip`')
  })

  test('an offer to hand over costs is declined, once', async () => {
    const channel = await at.channel('billing', [JANE, KIM])
    const told = await ask('billing decline acme/web', {channel, as: KIM})
    expect(told.text).toContain(
      'the reviews of *acme/web* are not handed over from `org_agency` to `org_acme`.',
    )
    const again = await ask('billing decline acme/web', {channel, as: KIM})
    expect(again.text).toContain('No transfer of billing is offered for the repository.')
  })
})

/** Whether what has no key on the platform was begun. */
function isBegun(words: string): boolean {
  using database = openDatabase(join(world.folder, 'bosun.db'))
  return database.isBegun(words)
}

function openDatabase(path: string) {
  const database = new Database(path, {readonly: true})
  return {
    isBegun: (words: string) =>
      database
        .prepare(`select count(*) from inbox where told & 4 and body like ?`)
        .pluck()
        .get(`%${words}%`) === 1,
    [Symbol.dispose]: () => void database.close(),
  }
}

/** Downwards: what agents open themselves is above. */
let made = 1000

/** A pull request that nobody has reviewed yet. */
function pullRequest(): number {
  made -= 1
  world.platform.control.setPullRequest({repo: 'acme/web', number: made})
  return made
}

function roundsOf(number: number): number {
  return threadsOf(number).length
}

async function reviewIn(place: Place, number: number) {
  const said = await world.until(
    'the review stands there in full',
    () => {
      const found = threadsOf(number)
        .filter(({status}) => status === 'idle')
        .map(({id}) => ({threadId: id, texts: repliesOf(id)}))
        .find(({texts: words}) => words.length > 0 && words.every((text) => isShown(place, text)))
      return found
    },
    60_000,
  )
  return said
}

function threadsOf(number: number) {
  const kickoff = `Review acme/web#${number} at `
  return world.platform
    .threads()
    .filter(({id}) => world.platform.transcript(id)[0]?.text.startsWith(kickoff) === true)
}

function repliesOf(threadId: string): string[] {
  return world.platform
    .transcript(threadId)
    .filter(({source}) => source === 'assistant')
    .map(({text}) => text)
}

function isShown(place: Place, text: string): boolean {
  const words = text.slice(0, 30).split(/[*`\n]/)[0] ?? ''
  return world.ours(place).some((message) => message.text.includes(words))
}

function heads(channel: string): StoredMessage[] {
  return world.slack
    .messages(channel)
    .filter(({botId, threadTs}) => botId !== undefined && threadTs === undefined)
}

function cardsIn(place: Place): StoredMessage[] {
  return world.ours(place).filter(({blocks}) => JSON.stringify(blocks).includes(ACTIONS.review))
}

function answersTo(user: string, channel: string) {
  return world.slack.ephemerals(channel, user)
}

async function command(text: string, {as = JANE, channel = 'C0WEB'} = {}): Promise<void> {
  await world.slack.people.command({as, channel, command: '/review', text})
}

/** Asks for a review that begins: its head in the channel is the answer. */
async function begins(text: string, {as = JANE, channel = 'C0WEB'} = {}): Promise<StoredMessage> {
  const before = heads(channel).length
  await command(text, {as, channel})
  return world.until(`the head of /review ${text}`, () => heads(channel)[before])
}

async function ask(text: string, {as = JANE, channel = 'C0WEB'} = {}) {
  const before = answersTo(as, channel).length
  await command(text, {as, channel})
  return world.until(`an answer to /review ${text}`, () => answersTo(as, channel)[before])
}
