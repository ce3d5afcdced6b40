import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {readSlackSettings} from '../config/config.ts'
import {isLoopback} from '../config/reader.ts'
import {createLeaks} from '../security/leaks.ts'
import {CannotCheck} from '../slack/assumptions/arrival.ts'
import {Interrupted} from '../slack/assumptions/caller.ts'
import {type AssumptionId, isAssumption} from '../slack/assumptions/catalogue.ts'
import {checkSlack} from '../slack/assumptions/check.ts'
import {toMarkdown, toReport} from '../slack/assumptions/report.ts'
import {texts} from '../slack/texts.ts'
import {ToolProblem, runTool} from './tool.ts'

const help = `
npm run check-slack -- --channel C… [--user U…] [--thorough] [--socket] [--out DIR] [--only ID,…]

Tries in a real workspace what Bosun relies upon in Slack: in one thread of that channel, below every documented rate, with
some 75 calls in about a minute. Everything that it wrote goes at the end, and on Ctrl-C. It mentions nobody.
It needs SLACK_BOT_TOKEN, and the app in the channel; no platform and no database. docs/check-slack.md says more.

  --channel C…  where; a channel made for it is best
  --user U…     a member who may see what one person alone sees: a whisper, and their App Home until they open it again. Streams
                are for them, too; without it for somebody in the channel, whom Slack may notify once
  --thorough    asks in bursts until Slack says no, and waits for four minutes; some 170 to 230 calls in six or seven minutes
  --socket      events, too: SLACK_APP_TOKEN is needed, and no Bosun may run with it
  --out DIR     writes check-slack.md and check-slack.json there, instead of printing the report
  --only ID,…   those assumptions alone, as check-slack.json names them

Ends with 0 when all holds that could be tried, with 1 when something differs, with 2 when it cannot run or was stopped.
`

const CHANNEL = /^[CG][A-Z0-9]{2,}$/
const USER = /^[UW][A-Z0-9]{2,}$/
const DIFFERS = 1
const CANNOT = 2
const WITHIN_MS = 600_000
const THOROUGH_WITHIN_MS = 1_800_000

await runTool({
  help,
  options: {
    channel: {type: 'string'},
    user: {type: 'string'},
    thorough: {type: 'boolean', default: false},
    socket: {type: 'boolean', default: false},
    out: {type: 'string'},
    only: {type: 'string'},
  },
  troubleCode: CANNOT,
  run: async ({values}) => {
    const {channel = '', user, thorough: isThorough, socket, out} = values
    if (!CHANNEL.test(channel)) {
      throw new ToolProblem('Name a channel by its id: --channel C… (at the end of its details).')
    }
    if (user !== undefined && !USER.test(user)) {
      throw new ToolProblem('Name a member by their id: --user U… (in their profile).')
    }
    const only = values.only === undefined ? undefined : readOnly(values.only)
    const {botToken: token, appToken, apiUrl, rateScale, webUrl} = readSlackSettings(process.env)
    if (socket && appToken === undefined) {
      throw new ToolProblem('--socket needs SLACK_APP_TOKEN.')
    }
    if (out !== undefined) mkdirSync(out, {recursive: true})
    const leaks = createLeaks()
    for (const secret of [token, appToken]) if (secret !== undefined) leaks.learn(secret)
    const stop = stopped()
    const late = AbortSignal.timeout(isThorough ? THOROUGH_WITHIN_MS : WITHIN_MS)
    const outcome = await checkSlack({
      ...{apiUrl, token, channel, user, isThorough},
      // Slack's own rates are never exceeded by what Bosun hopes for.
      rateScale: isLoopback(new URL(apiUrl).hostname) ? rateScale : Math.min(1, rateScale),
      ...(socket && {appToken}),
      ...(webUrl !== undefined && {webHost: new URL(webUrl).hostname}),
      ...(only !== undefined && {only}),
      signal: AbortSignal.any([stop, late]),
    }).catch(explain)
    const report = toReport(outcome, {channel, dateMs: Date.now(), isThorough})
    const hide = (text: string): string => leaks.hide(text, texts.secretMark)
    const markdown = hide(toMarkdown(report))
    if (out === undefined) process.stdout.write(markdown)
    else {
      writeFileSync(join(out, 'check-slack.md'), markdown)
      writeFileSync(join(out, 'check-slack.json'), hide(`${JSON.stringify(report, null, 2)}\n`))
      const {holds, differs, untried} = report.counts
      console.log(`${holds} hold, ${differs} differ, ${untried} could not be tried: see ${out}`)
    }
    for (const what of outcome.left) console.error(`Left behind: ${what}`)
    if (report.cutShort) return CANNOT
    return report.counts.differs > 0 ? DIFFERS : 0
  },
})

function readOnly(given: string): AssumptionId[] {
  return given.split(',').map((id) => {
    if (isAssumption(id)) return id
    throw new ToolProblem(`There is no assumption ${id}; check-slack.json names them.`)
  })
}

/** The first signal lets it clean up; the second one ends it where it stands. */
function stopped(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      console.error('Taking away what was written …')
      stop.abort()
    })
  }
  return stop.signal
}

function explain(error: unknown): never {
  if (error instanceof CannotCheck) throw new ToolProblem(error.message)
  if (error instanceof Interrupted)
    throw new ToolProblem('It was stopped before it wrote anything.')
  throw error
}
