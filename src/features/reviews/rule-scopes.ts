import {toRepo} from '../../slack/parse/pull-requests.ts'

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
  const scopes = new Map<string, {repo: string; paths: Set<string>; isWhole: boolean}>()
  for (const line of said.split('\n')) {
    if (line.trim() === '') continue
    const [, name = '', behind = ''] = /^([^:\s]+)\s*(?::(.*))?$/.exec(line.trim()) ?? []
    const repo = toRepo(name)
    if (repo === undefined) return {wrong: line.trim()}
    const paths = behind
      .split(',')
      .map((path) => path.trim())
      .filter((path) => path !== '')
    const key = repo.toLowerCase()
    const scope = scopes.get(key) ?? {repo, paths: new Set(), isWhole: false}
    for (const path of paths) scope.paths.add(path)
    // A repository that is said alone is meant as a whole, whatever else is said of it.
    scope.isWhole ||= paths.length === 0
    scopes.set(key, scope)
  }
  return [...scopes.values()].map(({repo, paths, isWhole}) => ({
    repo,
    paths: isWhole ? [] : [...paths],
  }))
}

/** `owner/repo:path`; `undefined` for anything else. */
export function readRuleFile(said: string): {repo: string; path: string} | undefined {
  const [, name = '', path = ''] = /^([^:\s]+)\s*:\s*(\S.*)$/.exec(said.trim()) ?? []
  const repo = toRepo(name)
  return repo === undefined ? undefined : {repo, path: path.trim().replace(/^\/+/, '')}
}
