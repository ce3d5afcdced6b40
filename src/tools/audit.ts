import {auditCsv} from '../store/tables/audit.ts'
import {ToolProblem, openDatabase, runTool} from './tool.ts'

const help = `
npm run --silent audit -- --workspace T… [--from 2026-01-01] [--to 2026-02-01]

Prints who did what with Bosun in a workspace as CSV, newest first; --to is the day behind the last one. Times are UTC.
Bosun may run meanwhile. Entries are kept for 400 days.
`

await runTool({
  help,
  options: {workspace: {type: 'string'}, from: {type: 'string'}, to: {type: 'string'}},
  run: async ({values: {workspace, from, to}}) => {
    if (workspace === undefined || !/^[TE][A-Z0-9]+$/.test(workspace)) {
      throw new ToolProblem('Say which workspace: --workspace T012AB3CD')
    }
    const range = {fromMs: toMs('from', from), beforeMs: toMs('to', to)}
    const {fromMs = -Infinity, beforeMs = Infinity} = range
    if (fromMs >= beforeMs) {
      throw new ToolProblem('--to must come after --from: it is the day behind the last one.')
    }
    await using store = await openDatabase()
    for await (const lines of auditCsv(store.audit, workspace, range)) {
      const failure = await new Promise((resolve) => process.stdout.write(lines, resolve))
      if (failure instanceof Error) break
    }
    return undefined
  },
})

function toMs(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  // Without a zone a time would be this machine's.
  const [, day] = /^(\d{4}-\d\d-\d\d)(?:T[\d:.]{1,20}Z)?$/.exec(text) ?? []
  const ms = day === undefined ? NaN : Date.parse(text)
  // The 31st of February is read as one of March.
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(day ?? '')) {
    throw new ToolProblem(`--${name} must be a day such as 2026-01-31.`)
  }
  return ms
}
