import {writeFileSync} from 'node:fs'
import {readPlatformAddress} from '../config/config.ts'
import {Secret} from '../security/secret.ts'
import {writeReport} from './check-platform/report.ts'
import {SECTIONS, checkPlatform, isWithin} from './check-platform/run.ts'
import {ToolProblem, runTool, say} from './tool.ts'

const help = `
npm run check-platform -- [--base-url URL] [--key KEY] [--project ID] [--json FILE]

Tries an agent platform rule by rule, as the sections of its API document have them: which hold, which do not, what was expected
and seen, and what Bosun does without each. docs/check-platform.md says more.

  --base-url URL            with its path: https://platform.example.com/api/v1; else PLATFORM_BASE_URL
  --key KEY                 else PLATFORM_API_KEY, which the list of processes does not show; it has to be allowed to write
  --project ID              where threads are made; else PLATFORM_PROJECT_ID, else the first that the key reaches
  --pull-request REPO#NUMBER  also reviews this one, twice; without it no review is started
  --folder ID               also files a thread into this one
  --only SECTION            for example 4.3; may come several times
  --patience SECONDS        how long an agent may take for a short answer (90)
  --json FILE               writes what was found there, too

It makes five threads with short tasks (one of them long, which it stops), a captain and an automation, all of them named
"Bosun check-platform …", and archives or deletes them at the end, also after Ctrl-C. Ends with 1 when a rule is broken.
`

await runTool({
  help,
  options: {
    'base-url': {type: 'string'},
    key: {type: 'string'},
    project: {type: 'string'},
    'pull-request': {type: 'string'},
    folder: {type: 'string'},
    only: {type: 'string', multiple: true},
    patience: {type: 'string'},
    json: {type: 'string'},
  },
  run: async ({values}) => {
    const {env} = process
    const stopping = stopSignal()
    const report = await checkPlatform({
      baseUrl: readPlatformAddress({
        PLATFORM_BASE_URL: values['base-url'] ?? env['PLATFORM_BASE_URL'],
      }),
      key: readKey(values.key ?? env['PLATFORM_API_KEY']?.trim()),
      // Set to nothing counts as unset, as everywhere.
      projectId: values.project ?? (env['PLATFORM_PROJECT_ID']?.trim() || undefined),
      pullRequest: readPullRequest(values['pull-request']),
      folderId: values.folder,
      only: readSections(values.only),
      patienceMs: readSeconds(values.patience ?? '90') * 1000,
      signal: stopping,
      onVerdict: ({state, rule}) => {
        if (process.stderr.isTTY)
          process.stderr.write(`${state === 'broken' ? '✗' : '·'} ${rule}\n`)
      },
    })
    for (const line of writeReport(report)) say(line)
    if (values.json !== undefined)
      writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`)
    if (stopping.aborted) return 130
    const isWell =
      report.stopped === undefined && !report.verdicts.some(({state}) => state === 'broken')
    return isWell ? 0 : 1
  },
})

/** The first Ctrl-C lets it clear away what it made; the second one ends it as it is. */
function stopSignal(): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      process.stderr.write('Stopping: what was made is being archived or deleted.\n')
      stopping.abort(new Error('stopped'))
    })
  }
  return stopping.signal
}

function readKey(text: string | undefined): Secret {
  if (text === undefined || text === '')
    throw new ToolProblem('Set PLATFORM_API_KEY, or name a key with --key.')
  return new Secret(text)
}

function readSections(given: string[] | undefined): string[] | undefined {
  for (const one of given ?? []) {
    if (SECTIONS.some((section) => isWithin(section, one))) continue
    throw new ToolProblem(`--only knows no section ${one}. There are ${SECTIONS.join(', ')}.`)
  }
  return given
}

function readPullRequest(text: string | undefined) {
  if (text === undefined) return undefined
  const [, repo, number] = /^([^#\s]+)#(\d+)$/.exec(text) ?? []
  if (repo === undefined) throw new ToolProblem('--pull-request must be like acme/web#12')
  return {repo, prNumber: Number(number)}
}

function readSeconds(text: string): number {
  const seconds = Number(text)
  if (seconds > 0 && seconds <= 600) return seconds
  throw new ToolProblem('--patience must be a number of seconds from 1 to 600.')
}
