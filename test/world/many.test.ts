import type {Browser} from 'playwright-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {canDrivePages, openBrowser} from '../support/browser.ts'
import {APP, type Many, installByHand, startMany} from '../support/many.ts'
import type {Place} from '../support/verdict.ts'

const [BETA, GAMMA] = ['T0BETA', 'T0GAMMA']

describe.skipIf(!canDrivePages)('many workspaces', () => {
  let browser: Browser
  let many: Many

  beforeAll(async () => {
    browser = await openBrowser()
    many = await startMany({teams: [BETA, GAMMA], pace: 0.5})
  })
  afterAll(async () => {
    await browser.close()
    await many[Symbol.asyncDispose]()
  })

  test('install the app by its pages, each with its own agents; one that leaves takes nothing from the other', async () => {
    expect(await many.install(browser, BETA, 'Cancel')).toContain('Nothing was installed')
    for (const team of [BETA, GAMMA]) {
      const page = await many.install(browser, team)
      expect(page).toContain(`Bosun is installed in ${team.slice(2)}`)
      expect(page).toContain('/bosun connect')
      await many.peopleOf(team).inviteBot(`C${team.slice(1)}GENERAL`)
    }
    const first = await many.say(BETA, '@Bosun fix the rounding of the cart')
    await many.settled(BETA, first)

    const [atBeta, atGamma] = await Promise.all([
      many.say(BETA, '@Bosun long report of the prices'),
      many.say(GAMMA, '@Bosun fix the rounding of the cart'),
    ])
    await many.until('both have begun', () =>
      [many.ours(BETA, atBeta), many.ours(GAMMA, atGamma)].every(({length}) => length > 1),
    )
    many.slack.apps.uninstall(APP, BETA)
    await many.until('the uninstall is told', () =>
      many.bot.output().includes('The app was uninstalled'),
    )
    await many.settled(GAMMA, atGamma)
    expect(await many.health()).toMatchObject({status: 'ok', slack: 'ok'})

    await many.bot.stop()
    const kept = await many.withStore(async ({installs, connections, bindings, links}) => ({
      installs: (await installs.all()).map(({id}) => id),
      beta: (await connections.ofTeam(BETA)).map(({state}) => state),
      gamma: (await connections.ofTeam(GAMMA)).map(({state}) => state),
      bindings: await bindings.of(BETA, ''),
      work: (await links.byPlace(placeAt(BETA, atBeta)))?.state,
      other: (await links.byPlace(placeAt(GAMMA, atGamma)))?.state,
    }))
    expect(kept).toMatchObject({
      ...{installs: [GAMMA], beta: ['gone'], gamma: ['good'], work: 'ended', other: 'open'},
      bindings: {projectId: expect.any(String) as string},
    })
    await many.startBot()
    const again = await many.say(GAMMA, '@Bosun fix the rounding of the cart')
    await many.settled(GAMMA, again)

    // Who comes back reads what became of the work, and has to give the key anew.
    await many.install(browser, BETA)
    await many.until('the card says so', () =>
      many.ours(BETA, atBeta).some(({text}) => text.includes('No longer followed')),
    )
    const late = await many.say(BETA, '@Bosun fix the rounding of the cart')
    await many.until('it is answered', () => isAnswered(many, late))
    expect(many.platform.threads()).toHaveLength(4)
  })
})

function placeAt(team: string, {channel, ts}: Place) {
  return {team, channel, slackThread: ts}
}

/** In whatever way: there is no key to start anything with. */
function isAnswered({slack}: Many, {channel, ts}: Place): boolean {
  const whispered = slack.ephemerals(channel, 'U0BETARITA').length > 0
  return whispered || slack.messages(channel, ts).length > 1
}

test('what is asked before the key is given anew says on its card why it has not begun', async (context) => {
  const many = await startMany({teams: [BETA], pace: 0.1})
  context.onTestFinished(() => many[Symbol.asyncDispose]())
  await installByHand(many, BETA)
  await many.peopleOf(BETA).inviteBot('C0BETAGENERAL')
  await many.settled(BETA, await many.say(BETA, '@Bosun fix the rounding of the cart'))
  many.slack.apps.uninstall(APP, BETA)
  await many.until('it is told', () => many.bot.output().includes('The app was uninstalled'))
  await installByHand(many, BETA)
  const late = await many.say(BETA, '@Bosun fix the rounding of the cart')
  await many.until('the card says so', () =>
    many.ours(BETA, late).some(({blocks}) => JSON.stringify(blocks).includes('This has not begun')),
  )
})

test('a token is renewed again and again in the middle of a reply, and nobody reads anything of it', async (context) => {
  const many = await startMany({teams: [BETA], pace: 0.25, tokenRotation: true, tokenLifeS: 4})
  context.onTestFinished(() => many[Symbol.asyncDispose]())
  await installByHand(many, BETA)
  await many.peopleOf(BETA).inviteBot('C0BETAGENERAL')
  const place = await many.say(BETA, '@Bosun long report of the prices')
  await many.settled(BETA, place)
  const {calls} = many.slack.ledger
  const renewals = calls.filter(({args}) => args['grant_type'] === 'refresh_token')
  expect(renewals.length).toBeGreaterThanOrEqual(2)
  expect(renewals.every(({answer}) => answer['ok'] === true)).toBe(true)
  expect(await many.health()).toMatchObject({status: 'ok', slack: 'ok'})
})

test('an organization lets the app into all of its workspaces, takes it out of one, and out of all', async (context) => {
  const organization = {id: 'E0ACME', name: 'Acme'}
  const many = await startMany({teams: [BETA, GAMMA], organization})
  context.onTestFinished(() => many[Symbol.asyncDispose]())
  await installByHand(many, BETA, organization.id)
  for (const team of [BETA, GAMMA]) {
    // Nobody has done anything there yet: the first that is heard of a workspace is that we are invited.
    const channel = `C${team.slice(1)}GENERAL`
    await many.peopleOf(team).inviteBot(channel)
    await many.until('it says there what it does', () =>
      many.slack.ledger.calls.some(
        ({method, args}) =>
          method === 'chat.postMessage' &&
          args['channel'] === channel &&
          String(args['text']).startsWith('👋'),
      ),
    )
    await many.settled(team, await many.say(team, '@Bosun fix the rounding of the cart'))
  }
  await many.bot.kill()
  await many.startBot()
  await many.settled(GAMMA, await many.say(GAMMA, '@Bosun fix the rounding of the cart'))

  many.slack.apps.uninstall(APP, BETA)
  await many.until('it is told', () =>
    many.bot.output().includes('The app was taken out of workspaces'),
  )
  await many.say(BETA, '@Bosun fix the rounding of the cart')
  await many.settled(GAMMA, await many.say(GAMMA, '@Bosun fix the rounding of the cart'))
  expect(many.platform.threads()).toHaveLength(4)

  many.slack.apps.uninstall(APP, organization.id)
  await many.until('it is told', () => many.bot.output().includes('The app was uninstalled'))
  await many.bot.stop()
  const {installs, states} = await many.withStore(async (store) => ({
    installs: await store.installs.all(),
    states: (
      await Promise.all([BETA, GAMMA].map((team) => store.connections.ofTeam(team)))
    ).flatMap((connections) => connections.map(({state}) => state)),
  }))
  expect(installs).toEqual([])
  expect(states).toEqual(['gone', 'gone'])
})
