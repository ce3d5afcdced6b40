// What people and Slack bear for each kind of run: messages of the bot, those among them that call somebody, those besides the
// agent's own words that name the pull request, and calls of the Web API, under Slack's rates. `--against <checkout>` measures
// another version beside it.
import {join, resolve} from 'node:path'
import {parseArgs} from 'node:util'
import type {CallRecord} from '../local/slack/edge/ledger.ts'
import {type Place, type World, JANE, startWorld} from '../test/support/world.ts'
import {type Line, atMost, endWith} from './lines.ts'

const {values} = parseArgs({
  options: {against: {type: 'string'}, pace: {type: 'string', default: '1'}},
})

interface Kind {
  name: string
  task: string
  /** What somebody writes behind it, once the agent works. */
  then?: string
}

const KINDS: readonly Kind[] = [
  {name: 'quick', task: 'a quick check of the cart'},
  {name: 'tasks', task: 'clean up the cart in parallel'},
  {name: 'question', task: 'a question about the cart'},
  {name: 'ci', task: 'fix the cart and wait for ci'},
  {name: 'pull request', task: 'open a pull request for the cart'},
  {name: 'failure', task: 'fail at the cart'},
  {name: 'stop', task: 'a long run through the cart', then: 'stop'},
]

interface Noise {
  messages: number
  callingSomebody: number
  namingThePullRequest: number
  calls: ReadonlyMap<string, number>
}

const MOST_NAMING = 2
const MOST_CALLING = 1
const WITHIN_MS = 180_000
/** Then nothing more comes: longer than any pause of the bot. */
const QUIET_MS = 20_000

const main = {
  now: undefined,
  ...(values.against !== undefined && {before: join(resolve(values.against), 'src', 'main.ts')}),
}
const measured = new Map<string, Map<string, Noise>>()
for (const [version, botMain] of Object.entries(main)) {
  measured.set(version, await measureAll(botMain))
}
print()

async function measureAll(botMain: string | undefined): Promise<Map<string, Noise>> {
  await using world = await startWorld({
    ...{strict: true, latencyMs: 100, pace: Number(values.pace)},
    ...(botMain !== undefined && {botMain}),
  })
  const noises = await Promise.all(
    KINDS.map(async (kind) => [kind.name, await measure(world, kind)] as const),
  )
  return new Map(noises)
}

async function measure(world: World, {name, task, then}: Kind): Promise<Noise> {
  const channel = (
    await world.slack.people.createChannel({name: name.replace(' ', '-'), memberIds: [JANE]})
  ).id
  await world.slack.people.inviteBot(channel)
  const place = await world.say(`@Bosun ${task}`, {channel})
  if (then !== undefined) {
    await world.until(`${name}: it works`, () => world.ours(place).length > 1, WITHIN_MS)
    await world.reply(place, then)
  }
  await world.settled(place, WITHIN_MS)
  await world.until(
    `${name}: nothing comes any more`,
    () => Date.now() - Math.max(...callsFor(world, place).map(({atMs}) => atMs)) > QUIET_MS,
    WITHIN_MS,
  )
  const ours = world.ours(place).map((message) => JSON.stringify(message))
  // What the agent itself writes is shown as it is.
  const byUs = ours.filter((message) => !/"key":"say:/.test(message))
  return {
    messages: ours.length,
    callingSomebody: ours.filter((message) => /"text":"[^"]*<@U/.test(message)).length,
    namingThePullRequest: byUs.filter((message) => /pull\/\d+|PR #\d+/.test(message)).length,
    calls: new Map(
      [...Map.groupBy(callsFor(world, place), ({method}) => method)].map(([method, those]) => [
        method.replace(/^.*\.(?=\w+$)/, ''),
        those.length,
      ]),
    ),
  }
}

/** Those that show something there. */
function callsFor(world: World, {channel}: Place): CallRecord[] {
  return world.slack.ledger.calls.filter(
    ({args, method}) =>
      (args['channel'] ?? args['channel_id']) === channel && !method.startsWith('conversations.'),
  )
}

function print(): void {
  const lines: Line[] = []
  console.log(
    '| run | version | messages | … that call somebody | … that name the pull request | calls |',
  )
  console.log('| --- | --- | --- | --- | --- | --- |')
  for (const {name} of KINDS) {
    for (const [version, noises] of measured) {
      const noise = noises.get(name)
      if (noise === undefined) continue
      const {messages, callingSomebody, namingThePullRequest, calls} = noise
      const all = [...calls.values()].reduce((sum, count) => sum + count, 0)
      const by = [...calls].map(([method, count]) => `${count} ${method}`).join(', ')
      const cells = [
        name,
        version,
        messages,
        callingSomebody,
        namingThePullRequest,
        `${all}: ${by}`,
      ]
      console.log(`| ${cells.join(' | ')} |`)
      if (version === 'before') continue
      lines.push(
        atMost(`${name}: messages that name the pull request`, namingThePullRequest, MOST_NAMING),
        atMost(`${name}: messages that call somebody`, callingSomebody, MOST_CALLING),
      )
    }
  }
  endWith(lines)
}
