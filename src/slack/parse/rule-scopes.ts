import {toRepo} from './pull-requests.ts'

/** Where a rule of reviews holds. */
export interface Scope {
  repo: string
  /** Empty: everywhere in the repository. */
  paths: string[]
}

/** More of them are a slip. */
export const MAX_SCOPES = 50

/** One repository a line, `owner/repo: src/**, test/**`; a line that is none is `wrong`. */
export function readScopes(said: string): Scope[] | {wrong: string} {
  const scopes = new Map<string, Scope>()
  for (const line of said.split('\n')) {
    if (line.trim() === '') continue
    const [, name = '', behind = ''] = /^([^:\s]+)\s*(?::(.*))?$/.exec(line.trim()) ?? []
    const repo = toRepo(name)
    if (repo === undefined) return {wrong: line.trim()}
    const paths = behind
      .split(',')
      .map((path) => path.trim())
      .filter((path) => path !== '')
    const known = scopes.get(repo.toLowerCase())
    // A repository that is said alone is meant as a whole, whatever else is said of it.
    const isWhole = paths.length === 0 || known?.paths.length === 0
    const all = isWhole ? [] : [...new Set([...(known?.paths ?? []), ...paths])]
    scopes.set(repo.toLowerCase(), {repo: known?.repo ?? repo, paths: all})
  }
  return [...scopes.values()]
}

/** `owner/repo:path`; `undefined` for anything else. */
export function readRuleFile(said: string): {repo: string; path: string} | undefined {
  const [, name = '', path = ''] = /^([^:\s]+)\s*:\s*(\S.*)$/.exec(said.trim()) ?? []
  const repo = toRepo(name)
  return repo === undefined ? undefined : {repo, path: path.trim().replace(/^\/+/, '')}
}
