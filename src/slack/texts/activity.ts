/**
 * What Slack's status line says behind the app's name. The words of a tool's one line are the platform's; its first
 * one is turned into what is being done.
 */
export const activityTexts = {
  thinking: 'is thinking…',
  writing: 'is writing…',
  stopping: 'is stopping…',
  doing: (gerund: string, what: string) => `is ${gerund} ${what}`,
  /** A tool whose words do not say what is being done. */
  using: (tool: string, what: string) =>
    what === '' ? `is using ${tool}` : `is using ${tool}: ${what}`,
  busy: (what: string) => `is busy: ${what}`,
  minutes: (minutes: number) => ` (${minutes} m)`,
}

/** Verbs of what agents do, as a tool's name or the beginning of its line has them. */
export const GERUNDS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['reading', 'read', 'reads'],
    ['viewing', 'view', 'viewed', 'views'],
    ['opening', 'open', 'opened', 'opens'],
    ['editing', 'edit', 'edited', 'edits', 'patch', 'patched'],
    ['writing', 'write', 'wrote', 'writes'],
    ['updating', 'update', 'updated', 'updates'],
    ['creating', 'create', 'created', 'creates', 'make', 'made'],
    ['deleting', 'delete', 'deleted', 'deletes', 'remove', 'removed', 'removes'],
    ['moving', 'move', 'moved', 'moves', 'rename', 'renamed'],
    ['running', 'run', 'ran', 'runs', 'execute', 'executed', 'executes', 'bash', 'shell'],
    ['searching for', 'grep', 'grepped'],
    ['searching', 'search', 'searched', 'searches'],
    ['looking for', 'find', 'found', 'finds', 'glob'],
    ['listing', 'list', 'listed', 'lists'],
    ['browsing', 'browse', 'browsed', 'browses', 'visit', 'visited'],
    ['fetching', 'fetch', 'fetched', 'fetches', 'download', 'downloaded'],
    ['checking', 'check', 'checked', 'checks', 'verify', 'verified'],
    ['testing', 'test', 'tested', 'tests'],
    ['building', 'build', 'built', 'builds'],
    ['installing', 'install', 'installed', 'installs'],
    ['committing', 'commit', 'committed', 'commits'],
    ['pushing', 'push', 'pushed', 'pushes'],
    ['cloning', 'clone', 'cloned', 'clones'],
    ['starting', 'start', 'started', 'starts'],
    ['reviewing', 'review', 'reviewed', 'reviews'],
    ['planning', 'plan', 'planned', 'plans'],
    ['asking', 'ask', 'asked', 'asks'],
    ['waiting for', 'wait', 'waited', 'waits'],
    ['calling', 'call', 'called', 'calls'],
    ['resuming', 'resume', 'resumed', 'resumes'],
  ].flatMap(([gerund = '', ...forms]) => forms.map((form) => [form, gerund])),
)
