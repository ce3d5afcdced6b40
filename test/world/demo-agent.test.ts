import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import type {MessageView} from '../../local/slack/page-feed/contract.ts'
import {type Demo, openDataFolder, startDemo} from '../support/demo.ts'
import {until} from '../support/until.ts'

/** What the README's table of the demo promises of everything that takes more than words. */

const PLACE = {as: 'U0JANE', channel: 'C0WEB'}
const root = join(import.meta.dirname, '..', '..')
const picture = readFileSync(join(root, 'docs', 'waiting.png'))

let folder: Awaited<ReturnType<typeof openDataFolder>>
let demo: Demo

beforeAll(async () => {
  folder = await openDataFolder()
  demo = await startDemo({data: folder.path, pace: 0.1})
})
afterAll(async () => {
  await demo[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const ask = (task: string, more: Partial<Parameters<Demo['post']>[0]> = {}) =>
  demo.post({...PLACE, text: `<@U0BOSUN> ${task}`, ...more})
type Asked = Awaited<ReturnType<typeof ask>>

/** The first message of the bot's in this Slack thread that fits. */
const says = (asked: Asked, fits: (message: MessageView) => boolean, what: string) =>
  until(what, async () => {
    const all = await demo.messages(PLACE)
    return all.find((one) => one.threadTs === asked.ts && one.userId === 'U0BOSUN' && fits(one))
  })
const drawn = ({text, blocks}: MessageView): string => `${text} ${JSON.stringify(blocks ?? [])}`
const saysWords = (asked: Asked, words: RegExp) =>
  says(asked, (message) => words.test(drawn(message)), String(words))

const pictures = (asked: Asked, names: string[]) =>
  says(asked, ({files = []}) => files.map(({name}) => name).join() === names.join(), names.join())

test('a picture that is attached reaches the agent, and one comes back', async () => {
  const files = [{name: 'cart.png', base64: picture.toString('base64')}]
  const asked = await ask('a screenshot of the repaired cart', {files})
  await pictures(asked, ['after.png'])
  await saysWords(asked, /I have looked at .*cart\.png/)
  const {entries} = await demo.work('a screenshot of the repaired cart')
  const size = `Fetched cart.png (${Math.ceil(picture.length / 1000)} kB)`
  expect(entries.map(({text}) => text)).toEqual(expect.arrayContaining([size, 'Posted after.png']))
})

test('pictures come without one, too', async () => {
  const asked = await ask('a screenshot of the cart')
  await pictures(asked, ['before.png', 'after.png'])
  await saysWords(asked, /Before and after/)
})

test('a plan waits for a go-ahead, and what was planned is done then', async () => {
  const asked = await ask('plan=yes open a pull request for the mails')
  await saysWords(asked, /my plan for .*pull request for the mails/)
  const {ts} = await saysWords(asked, /the plan is ready/)
  await demo.press({...PLACE, ts, actionId: 'bosun:plan-go'})
  await saysWords(asked, /I opened a pull request for .*pull request for the mails/)
})

test('a question in the agent’s own words has its answers as buttons', async () => {
  const asked = await ask('choose how to round')
  const {ts} = await saysWords(asked, /"2\. Round once at the end"/)
  await demo.press({...PLACE, ts, actionId: 'bosun:pick:1'})
  await saysWords(asked, /Answered by @Jane/)
})

test('a question of its machine has boxes', async () => {
  const asked = await ask('choose several pages')
  const question = await saysWords(asked, /"type":"checkboxes"/)
  const {ts} = question
  const id = /"value":"([\w-]+)\.0"/.exec(drawn(question))?.[1] ?? ''
  await demo.press({...PLACE, ts, actionId: 'bosun:ticks', value: [`${id}.0`, `${id}.2`]})
  await demo.press({...PLACE, ts, actionId: 'bosun:choose-several'})
  await saysWords(asked, /@Jane chose \*Cart\*, \*Invoices\*/)
  await saysWords(asked, /Understood: .*Cart.*, .*Invoices/)
})

test('costly work costs dollars', async () => {
  const asked = await ask('something costly')
  await saysWords(asked, /Done.*\$8\.\d\d/)
})
