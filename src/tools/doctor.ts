import {type Config, readConfig, secretsIn} from '../config/config.ts'
import {createClockCheck} from '../inbox/clock-check.ts'
import {createPlatformClient} from '../platform/client.ts'
import {createTransport} from '../platform/transport.ts'
import {createLeaks} from '../security/leaks.ts'
import {createSealer} from '../security/seal.ts'
import {Secret} from '../security/secret.ts'
import {judgeDatabase, judgeSealing, tellVersion} from '../slack/doctor/database.ts'
import {type Finding, lineOf} from '../slack/doctor/finding.ts'
import {askPlatform, judgeDeleting} from '../slack/doctor/doctor.ts'
import {judgeLinks} from '../slack/doctor/links.ts'
import {askSlack, whyOf} from '../slack/doctor/slack.ts'
import {texts} from '../slack/texts.ts'
import {nameOf} from '../store/sqlite/one-bot/bot-mark.ts'
import {isPostgres} from '../store/is-postgres.ts'
import {checkUp} from '../store/sqlite/upkeep/checkup.ts'
import {existsSync} from 'node:fs'
import {StoreError} from '../store/database/errors.ts'
import {isWide} from '../store/sqlite/own-files.ts'
import {countSealed, placeOf, problemOf, readSealedValues} from '../store/database/sealed-values.ts'
import {newestRowMs} from '../store/tables/newest-row.ts'
import {type ToolStore, isBotRunning, openToolStore} from '../store/tool-store.ts'
import {runTool, say} from './tool.ts'

const help = `
npm run doctor

Looks at the settings, Slack, the agent platform's keys, the database and the machine, and says with ✓ or ✗ what is well and
what to do where it is not. Bosun may run or not; one that runs is asked how it is. Ends with 1 when something is wrong.
`

/** What the platform says of a key may quote it. */
type OnKey = (key: Secret) => void

/** Above the call: what stands below it is not there yet when it runs. */
const HEALTH_WITHIN_MS = 5000

await runTool({
  help,
  options: {},
  run: async () => {
    const config = readConfig(process.env)
    const leaks = createLeaks()
    for (const secret of secretsIn(config)) leaks.learn(secret)
    const others = (
      await Promise.all([askBot(config), askWorkspace(config), lookAtStore(config, leaks.learn)])
    ).flat()
    const findings = [tellVersion(), ...others, judgeLinks(config.platform.webUrl)]
    for (const finding of findings) {
      say(leaks.hide(lineOf(finding), texts.secretMark))
    }
    return findings.some(({state}) => state === 'wrong') ? 1 : 0
  },
})

/** Of many workspaces each has a token of its own, which the running bot knows. */
async function askWorkspace({slack: {apiUrl, botToken}}: Config): Promise<Finding[]> {
  if (botToken !== undefined) return askSlack({apiUrl, token: botToken})
  const {name, many} = texts.doctor.bot
  return [{name, state: 'untold', says: many}]
}

async function askBot({database, http}: Config): Promise<Finding[]> {
  const {name, well, unwell, fix, stopped, silent, silentFix, unasked, unknown} = texts.doctor.bot
  // Why the database does not say is told with the database.
  const isRunning = await isBotRunning(database.path).catch(() => undefined)
  if (isRunning === undefined) return [{name, state: 'untold', says: unknown}]
  if (!isRunning) return [{name, state: 'untold', says: stopped}]
  if (http.port === 0) return [{name, state: 'untold', says: unasked}]
  const host = ['0.0.0.0', '::'].includes(http.host) ? '127.0.0.1' : http.host
  const at = `http://${host.includes(':') ? `[${host}]` : host}:${http.port}/healthz`
  try {
    const answer = await fetch(at, {signal: AbortSignal.timeout(HEALTH_WITHIN_MS)})
    const said = (await answer.json()) as Record<string, string>
    if (answer.ok) return [{name, state: 'well', says: well(at)}]
    const troubles = Object.entries(said).filter(([of, word]) => of !== 'status' && word !== 'ok')
    const why = troubles.map(([of, word]) => `${of} ${word}`).join('; ')
    return [{name, state: 'wrong', says: unwell(why), fix}]
  } catch (error) {
    return [{name, state: 'wrong', says: `${silent(at)} (${whyOf(error)})`, fix: silentFix}]
  }
}

/** The database, and the keys of the platform that are in it. */
async function lookAtStore(config: Config, onKey: OnKey): Promise<Finding[]> {
  const {path} = config.database
  const {name} = texts.doctor.database
  const isServer = isPostgres(path)
  if (!isServer && !existsSync(nameOf(path))) {
    return [
      {name, state: 'untold', says: `${nameOf(path)} is not there yet`},
      ...(await askKeys(config, undefined, {onKey})),
    ]
  }
  const settings = ['.env'].filter(isWide)
  // A file tells how it is though it cannot be opened.
  const file = isServer ? [] : judgeDatabase(await checkUp(nameOf(path)), settings)
  try {
    await using store = await openToolStore({path, sealingKeys: config.sealingKeys})
    const ids = config.sealingKeys.map(({id}) => id)
    const clock = createClockCheck({newestRowMs: () => newestRowMs(store.db)})
    const onDate = (date: string | undefined): void => clock.heard('platform', date)
    const keys = await askKeys(config, store, {onKey, onDate})
    const server = isServer ? judgeDatabase(await store.checkUp(), settings) : []
    return [
      ...file,
      ...server,
      judgeSealing(ids, await countSealed(store.db)),
      ...keys,
      judgeDeleting(await clock.trouble()),
    ]
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const rest = await askKeys(config, undefined, {onKey})
    return [...file, {name, state: 'wrong', says: error.message}, ...rest]
  }
}

async function askKeys(
  {platform, sealingKeys}: Config,
  store: ToolStore | undefined,
  watch: {onKey: OnKey; onDate?: (date: string | undefined) => void},
): Promise<Finding[]> {
  const {key} = texts.doctor
  await using transport = createTransport(platform.baseUrl, watch)
  const ask = (of: {name: string; fix: string}, apiKey: Secret) =>
    askPlatform(of, () => createPlatformClient({transport, apiKey}))
  const sealer = createSealer(sealingKeys)
  const values = store === undefined ? [] : await readSealedValues(store.db)
  const rows =
    (await store?.db.selectFrom('connections').select(['id', 'label', 'last4']).execute()) ?? []
  const asks: Promise<Finding>[] = []
  if (platform.standard !== undefined) {
    asks.push(ask({name: key.environment, fix: key.environmentFix}, platform.standard.apiKey))
  }
  for (const {id, label, last4} of rows) {
    const of = {name: key.name(label, last4), fix: key.fix}
    const value = values.find(({table, row}) => table === 'connections' && row === id)
    const {name} = of
    const problem = value && problemOf(value, sealer)
    if (value === undefined) asks.push(Promise.resolve({name, state: 'untold', says: key.gone}))
    else if (problem !== undefined)
      asks.push(Promise.resolve({name, state: 'wrong', says: problem}))
    else asks.push(ask(of, new Secret(sealer.open(value.sealed, placeOf(value)))))
  }
  const findings = await Promise.all(asks)
  if (findings.length > 0) return findings
  return [{name: 'key', state: 'untold', says: key.none, fix: key.noneFix}]
}
