import {once} from 'node:events'
import {readFlags} from './flags.ts'
import {startLocalSlack} from './server.ts'

try {
  await main()
} catch (error) {
  console.error(describe(error))
  process.exitCode = 1
}

async function main(): Promise<void> {
  const {withPage, ...options} = await readFlags(process.argv.slice(2))
  const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  // The page needs a bundler, so it is only loaded where somebody looks at it.
  const page = withPage ? await (await import('./page/serve.ts')).openPage() : undefined
  await using slack = await startLocalSlack({...options, ...(page !== undefined && {page})})
  const {origin, apiUrl, botToken, appToken, signingSecret, teamId, botUserId} = slack
  const controlUrl = `${origin}/control`
  const ready = {origin, apiUrl, controlUrl, botToken, appToken, signingSecret, teamId, botUserId}
  process.stdout.write(`${JSON.stringify({ready: true, ...ready})}\n`)
  await stopped
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `The port is in use (${error.message}). Stop what listens there, or pass another --port.`
  }
  return error.message.replace(/\s+/g, ' ')
}
