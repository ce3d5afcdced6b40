import {asTyped} from './markup.ts'

/** A pull request, as people and agents name it. */
export interface PullRequest {
  /** The repository's full name: `owner/repo`, or with more groups in front where the code host has them. */
  repo: string
  number: number
  /** Of its page, without what a browser put behind it; `undefined` where nobody said on which host it is. */
  address: string | undefined
}

/**
 * Why it names none. `no-number`: a repository, or another page of one. `no-repo`: a number alone. `range`: no pull
 * request has that number. `unlike`: nothing of the kind.
 */
export type NoPullRequest =
  | {problem: 'no-number' | 'range'; repo: string}
  | {problem: 'no-repo'; number: number}
  | {problem: 'unlike'}

/** The platform's numbers are integers. */
const MAX_NUMBER = 2_147_483_647
const MAX_LENGTH = 2000
const MAX_ADDRESS = 400
const MAX_REPO = 200
/** One dash alone is what GitLab puts between a repository and its pages. */
const SEGMENT = /^(?!(?:\.{1,2}|-)$)[\w.~-]{1,100}$/
/** By whatever name the code host has for it. */
const PAGE =
  /^(.+?)\/(?:-\/)?(?:pull|pulls|pull-requests|merge_requests|pullrequests)\/(\d+)(?:[/?#][^]*)?$/i
const SHORT = /^([^#!]+)[#!](\d+)$/
const NUMBER = /^[#!]?(\d+)$/

/** Reads what stands at the beginning; `rest`: the words behind it. */
export function readPullRequest(
  said: string,
): (PullRequest | NoPullRequest) & {rest: readonly string[]} {
  const words = unescape(said.slice(0, MAX_LENGTH)).split(/\s+/).filter(Boolean)
  const [first = '', second = '', ...others] = words
  const numbered = NUMBER.exec(second)?.[1]
  // `owner/repo 12`
  if (numbered !== undefined && toRepo(first) !== undefined) {
    return {...readWord(`${first}#${numbered}`), rest: others}
  }
  return {...readWord(first), rest: words.slice(1)}
}

function readWord(word: string): PullRequest | NoPullRequest {
  const [, scheme, behind = word] = /^(https?):\/\/(.*)$/i.exec(word) ?? []
  const [, path, digits = ''] = PAGE.exec(behind) ?? []
  if (path !== undefined) return readPage(scheme?.toLowerCase(), path, behind, digits)
  if (scheme !== undefined) return readOtherPage(behind)
  const [, name = word, number] = SHORT.exec(word) ?? []
  const repo = toRepo(name)
  if (repo !== undefined) {
    return number === undefined
      ? {problem: 'no-number', repo}
      : toPullRequest(repo, number, undefined)
  }
  const alone = NUMBER.exec(word)?.[1]
  return alone === undefined
    ? {problem: 'unlike'}
    : {problem: 'no-repo', number: toNumber(alone) ?? 12}
}

function readPage(
  scheme: string | undefined,
  path: string,
  behind: string,
  digits: string,
): PullRequest | NoPullRequest {
  const [host = '', ...segments] = path.split('/')
  const hasHost = scheme !== undefined || (segments.length > 1 && host.includes('.'))
  const repo = toRepo((hasHost ? segments : [host, ...segments]).join('/'))
  if (repo === undefined || (hasHost && !isHost(host))) return {problem: 'unlike'}
  const page = behind.slice(0, behind.indexOf(digits, path.length) + digits.length)
  const address = hasHost ? `${scheme ?? 'https'}://${page}` : undefined
  if (page.length > MAX_ADDRESS) return {problem: 'unlike'}
  return toPullRequest(repo, digits, address)
}

/** The page of a repository, of an issue, of a file. */
function readOtherPage(behind: string): NoPullRequest {
  const [host = '', owner, name] = behind.split(/[?#]/, 1).join('').split('/')
  const repo = isHost(host) ? toRepo(`${owner}/${name}`) : undefined
  return repo === undefined ? {problem: 'unlike'} : {problem: 'no-number', repo}
}

function toPullRequest(
  repo: string,
  digits: string,
  address: string | undefined,
): PullRequest | NoPullRequest {
  const number = toNumber(digits)
  return number === undefined ? {problem: 'range', repo} : {repo, number, address}
}

function toNumber(digits: string): number | undefined {
  const number = Number(digits)
  return number >= 1 && number <= MAX_NUMBER ? number : undefined
}

/** A repository's full name; `undefined` for what can be none. */
export function toRepo(said: string): string | undefined {
  if (said.length > MAX_ADDRESS) return undefined
  const trimmed = said.replace(/\/$/, '').replace(/\.git$/, '')
  // Bitbucket's own servers.
  const [, project, name] = /^projects\/([^/]+)\/repos\/([^/]+)$/.exec(trimmed) ?? []
  const segments = (project === undefined ? trimmed : `${project}/${name}`).split('/')
  const isName = segments.length > 1 && segments.every((segment) => SEGMENT.test(segment))
  const repo = segments.join('/')
  return isName && repo.length <= MAX_REPO ? repo : undefined
}

/** Where its page is: what is written `owner/repo#12` is GitHub's, unless somebody gave another address. */
export function addressOf({repo, number, address}: PullRequest): string | undefined {
  if (address !== undefined) return address
  const isGitHubs = repo.split('/').length === 2
  return isGitHubs ? `https://github.com/${repo}/pull/${number}` : undefined
}

function isHost(host: string): boolean {
  return /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i.test(host)
}

/** Slack writes links as `<address>` or `<address|label>`, channels as `<#C1|name>`, and escapes three characters. */
function unescape(said: string): string {
  const plain = said
    .replaceAll(/<#\w+\|([^<>|]*)>/g, '#$1')
    .replaceAll(/<([^<>|]*)(?:\|[^<>]*)?>/g, '$1')
    .replaceAll('`', ' ')
  return asTyped(plain).trim()
}
