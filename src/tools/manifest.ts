import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {readWebUrl} from '../config/config.ts'
import {ToolProblem, runTool} from './tool.ts'

const help = `
npm run --silent manifest [-- github.com …]

Prints manifest.yml with the host of PLATFORM_WEB_URL as the domain whose links Bosun explains, and with those that are named
besides: the hosts of your pull requests. Paste it at api.slack.com/apps → App Manifest.
`

/** As Slack's schema has it. */
const DOMAIN = /^(?![.-])[-a-z0-9.]+[a-z0-9]$/
const MOST_DOMAINS = 5
/** What stands there in the file. */
const EXAMPLE = '    - app.example.com\n'

await runTool({
  help,
  options: {},
  takes: Infinity,
  run: async ({positionals}) => {
    const webUrl = readWebUrl(process.env)
    const own =
      webUrl === undefined ? [] : [new URL(webUrl.replaceAll('{threadId}', 'id')).hostname]
    const domains = [...new Set([...own, ...positionals])]
    if (domains.length === 0) {
      throw new ToolProblem('Set PLATFORM_WEB_URL, or name a domain: npm run manifest github.com')
    }
    if (domains.length > MOST_DOMAINS) throw new ToolProblem('Slack takes five domains at most.')
    for (const domain of domains) {
      if (!DOMAIN.test(domain)) throw new ToolProblem(`${domain} is no domain, as github.com is.`)
    }
    const file = join(import.meta.dirname, '..', '..', 'manifest.yml')
    const lines = domains.map((domain) => `    - ${domain}\n`).join('')
    process.stdout.write(readFileSync(file, 'utf8').replace(EXAMPLE, lines))
    return undefined
  },
})
